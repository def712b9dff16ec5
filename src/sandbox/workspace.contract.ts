import assert from 'node:assert/strict'
import { lstatSync, readdirSync, readFileSync, readlinkSync } from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import { bubblewrap } from './bubblewrap.ts'
import { never, tempFolder, writeTree } from './sandbox.contract.ts'
import { makeWorkspace } from './working-copy.ts'
import type { Workspace } from './workspace.ts'

/** A source tree, and a way to make working copies of it. */
export function sourceTree(files: Readonly<Record<string, string | null>>) {
  const folder = tempFolder()
  const source = join(folder.path, 'source')
  writeTree(source, { '.': null, ...files })
  let places = 0
  const make = (protect: readonly string[] = [], more: { source?: string; place?: string; ignore?: string[] } = {}) =>
    makeWorkspace({ source, place: join(folder.path, `place-${places++}`), protect, ...more })
  return { path: folder.path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose], source, make }
}

/** What a script writes that runs in the sandbox, on a working copy. */
export async function inside(workspace: Pick<Workspace, 'view'>, script: string): Promise<string> {
  const result = await bubblewrap().run({ argv: ['bash', '-c', script], view: workspace.view }, never())
  return result.stdout.text + result.stderr.text
}

export const refuses = (promise: Promise<unknown>, message: RegExp, fix?: RegExp): Promise<void> =>
  assert.rejects(promise, (error) => {
    assert.ok(error instanceof TaoError, String(error))
    assert.match(error.message, message)
    if (fix !== undefined) assert.match(error.fix ?? '', fix)
    return true
  })

/** A source tree with one working copy of it. */
export async function copiedTree(files: Readonly<Record<string, string | null>>, protect: readonly string[] = []) {
  const folder = tempFolder()
  const source = join(folder.path, 'source')
  writeTree(source, { '.': null, ...files })
  const workspace = await makeWorkspace({ source, place: join(folder.path, 'place'), protect })
  const read = (path: string) => readFileSync(join(source, path), 'utf8')
  const copy = (path: string) => join(workspace.view.copy, path)
  return { path: folder.path, [Symbol.asyncDispose]: folder[Symbol.asyncDispose], source, workspace, read, copy }
}

/** Every file below a folder with its content and mode, every link with where it leads, every folder. */
export function statesBelow(root: string): Record<string, string> {
  const states: Record<string, string> = {}
  for (const path of readdirSync(root, { recursive: true, encoding: 'utf8' }).sort()) {
    const found = lstatSync(join(root, path))
    if (found.isSymbolicLink()) states[path] = `link to ${readlinkSync(join(root, path))}`
    else if (found.isDirectory()) states[path] = 'folder'
    else states[path] = `${(found.mode & 0o777).toString(8)} ${readFileSync(join(root, path), 'utf8')}`
  }
  return states
}

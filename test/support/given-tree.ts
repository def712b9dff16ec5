import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Criterion, Delivery, Finding } from '../../src/judge/criterion.ts'
import { makeWorkspace } from '../../src/sandbox/working-copy.ts'
import type { Workspace } from '../../src/sandbox/workspace.ts'

export interface Given extends AsyncDisposable {
  readonly workspace: Workspace
  /** Changes the working copy, as tools do. */
  write(path: string, text: string): Promise<void>
  check(criterion: Criterion): Promise<Finding>
}

/** A real working copy of a tree with these files. */
export async function givenTree(
  files: Readonly<Record<string, string>>,
  protect: readonly string[] = [],
): Promise<Given> {
  const root = await mkdtemp(join(tmpdir(), 'tao-judge-'))
  await chmod(root, 0o711)
  const source = join(root, 'source')
  for (const [path, text] of Object.entries(files)) await writeBelow(source, path, text)
  const workspace = await makeWorkspace({ source, place: join(root, 'place'), protect })
  return {
    workspace,
    write: (path, text) => writeBelow(workspace.view.copy, path, text),
    check: (criterion) => criterion.check(deliveryOf({ workspace })),
    [Symbol.asyncDispose]: () => rm(root, { recursive: true, force: true }),
  }
}

async function writeBelow(folder: string, path: string, text: string): Promise<void> {
  await mkdir(dirname(join(folder, path)), { recursive: true })
  await writeFile(join(folder, path), text)
}

/** A task without a workspace. */
export const checkAlone = (criterion: Criterion): Promise<Finding> => criterion.check(deliveryOf())

/** A delivery of a run in which nothing has happened. */
export const deliveryOf = (given: Partial<Delivery> = {}): Delivery => ({
  answer: '',
  record: { words: ['Do it.'], calls: [], facts: [], lastChange: -1 },
  signal: new AbortController().signal,
  ...given,
})

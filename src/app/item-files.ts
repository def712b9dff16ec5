import { copyFile, mkdir, mkdtemp, realpath, rm, stat } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join, relative } from 'node:path'
import { TaoError } from '../core/error.ts'

/** A folder with the files of one item and nothing else, for a run to make its working copy of. Disposing removes it. */
export interface StagedFiles extends AsyncDisposable {
  readonly folder: string
}

/** Copies the named files. Rejects with a `TaoError` for a name that leads out of the folder or to no file. */
export async function stageFiles(names: readonly string[], folder: string): Promise<StagedFiles> {
  const staged = await mkdtemp(join(tmpdir(), 'tao-files-'))
  const dispose = () => rm(staged, { recursive: true, force: true })
  try {
    for (const name of names) {
      const target = join(staged, name)
      const source = await sourceOf(name, folder)
      await mkdir(dirname(target), { recursive: true })
      await copyFile(source, target)
    }
    return { folder: staged, [Symbol.asyncDispose]: dispose }
  } catch (error) {
    await dispose()
    throw error
  }
}

/** The place that a name really leads to, links followed. */
async function sourceOf(name: string, folder: string): Promise<string> {
  const root = await realpath(folder).catch(() => folder)
  const path = await realpath(join(root, name)).catch(() => undefined)
  if (path === undefined || !(await stat(path)).isFile())
    throw new TaoError('files', `The item's file ${name} is not in ${folder}.`, {
      fix: 'Say where files lie with --files DIR.',
    })
  if (!isInside(relative(root, path)) || !isInside(relative(root, join(root, name))))
    throw new TaoError('files', `The item's file ${name} lies outside of ${folder}.`, { fix: 'Copy it there.' })
  return path
}

const isInside = (path: string): boolean => path !== '' && path.split('/')[0] !== '..'

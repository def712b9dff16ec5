import { accessSync, constants, lstatSync, readdirSync, realpathSync, type Stats, statSync } from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import { foldersAbove, relativePath } from './view.ts'

/** The real path of a tree that can be copied. Throws a `TaoError` that says what is wrong with it. */
export function expectSource(source: string): string {
  let real: string
  try {
    real = realpathSync(source)
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code === 'ENOENT' ? 'does not exist' : 'cannot be reached'
    throw refuse(`The workspace ${source} ${why}.`, 'Name an existing folder.')
  }
  if (!statSync(real).isDirectory())
    throw refuse(`The workspace ${source} is not a folder.`, 'Name the folder it is in.')
  if (real === '/') throw refuse('The workspace may not be the whole machine (/).', 'Name the folder of one project.')
  try {
    accessSync(real, constants.R_OK | constants.X_OK)
  } catch {
    throw refuse(`The workspace ${source} cannot be read with the rights of this user.`, `Look at: ls -ld ${source}`)
  }
  return real
}

/** Protected paths of a tree, cleaned. Throws a `TaoError` for one that is missing, outside, or reached by a link. */
export function expectProtected(source: string, paths: readonly string[]): string[] {
  return paths.map((written) => {
    const path = relativePath(written)
    for (const part of path === '' ? [] : [...foldersAbove(path), path]) {
      const found = lstatSync(join(source, part), { throwIfNoEntry: false })
      if (found === undefined) throw missing(source, written, part)
      if (found.isSymbolicLink())
        throw refuse(`The protected path "${written}" leads through a link: ${part}`, 'Protect what the link leads to.')
      if (part === path ? !isPlain(found) : !found.isDirectory())
        throw refuse(`The protected path "${written}" is not a file or folder.`, 'Protect files and folders only.')
    }
    return path
  })
}

const isPlain = (found: Stats): boolean => found.isFile() || found.isDirectory()

/** `part` is the first piece of the path that is not there. */
function missing(source: string, written: string, part: string): TaoError {
  const above = foldersAbove(part).at(-1) ?? ''
  const names = readdirSync(join(source, above)).map((name) => (above === '' ? name : `${above}/${name}`))
  return refuse(
    `The protected path "${written}" does not exist in ${source}.`,
    didYouMean(part, names.slice(0, 5_000)).slice(0, 500),
  )
}

const refuse = (message: string, fix: string): TaoError => new TaoError('workspace', message, { fix })

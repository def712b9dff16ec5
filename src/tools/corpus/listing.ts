import { type Dirent, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../../core/error.ts'

const MOST_FILES = 20_000

/**
 * Paths of all files in a folder and those below, sorted, with slashes. Links and what begins with a dot are left out. Throws a
 * `TaoError` for more than 20,000, and for a folder that cannot be read.
 */
export function listDocuments(folder: string): string[] {
  const found: string[] = []
  const waiting = ['']
  for (let below = waiting.pop(); below !== undefined; below = waiting.pop())
    for (const entry of entriesOf(folder, below)) {
      const path = below === '' ? entry.name : `${below}/${entry.name}`
      if (entry.name.startsWith('.')) continue
      if (entry.isDirectory()) waiting.push(path)
      if (entry.isFile()) found.push(path)
      if (found.length > MOST_FILES)
        throw new TaoError('corpus', `${folder} holds more than ${MOST_FILES} files.`, {
          fix: 'Name a smaller folder.',
        })
    }
  return found.sort()
}

function entriesOf(folder: string, below: string): Dirent[] {
  try {
    return readdirSync(join(folder, below), { withFileTypes: true })
  } catch (error) {
    throw new TaoError('corpus', `The folder ${join(folder, below)} cannot be read.`, {
      fix: 'Name a folder that you may read.',
      cause: error,
    })
  }
}

import { randomBytes } from 'node:crypto'
import { closeSync, fstatSync, openSync, readFileSync, writeFileSync } from 'node:fs'
import { describeError, TaoError } from '../core/error.ts'
import type { Home } from './home.ts'
import type { Settings } from './settings.ts'

const SHORTEST_KEY = 16

/**
 * The key that runs are chained with: TAO_JOURNAL_KEY, else a file in the state directory that its owner alone may read.
 * No sandbox sees either. Undefined when there is none yet and none is to be made. Throws a `TaoError` for a key that
 * others could know.
 */
export function journalKey(settings: Settings, home: Home, { make }: { readonly make: boolean }): string | undefined {
  const given = settings.keyFor('TAO_JOURNAL_KEY')
  if (given === undefined) return readKeyFile(home.journalKey) ?? (make ? makeKeyFile(home.journalKey) : undefined)
  if (given.length >= SHORTEST_KEY) return given
  throw new TaoError('journal-key', `TAO_JOURNAL_KEY has fewer than ${SHORTEST_KEY} characters.`, {
    fix: 'Make a new one with: openssl rand -base64 32',
  })
}

function readKeyFile(path: string): string | undefined {
  let file: number
  try {
    file = openSync(path, 'r')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw keyFileError(path, describeError(error), `See that you may read ${path}.`)
  }
  try {
    if ((fstatSync(file).mode & 0o077) !== 0)
      throw keyFileError(path, 'others may read or write it', `Close it with: chmod 600 ${path}`)
    const key = readFileSync(file, 'utf8').trim()
    if (key.length >= SHORTEST_KEY) return key
    throw keyFileError(path, 'no key is in it', `Take it from a backup; without it older runs cannot be checked.`)
  } finally {
    closeSync(file)
  }
}

function makeKeyFile(path: string): string {
  const key = randomBytes(32).toString('base64')
  try {
    writeFileSync(path, `${key}\n`, { mode: 0o600, flag: 'wx' })
    return key
  } catch (error) {
    const theirs = (error as NodeJS.ErrnoException).code === 'EEXIST' ? readKeyFile(path) : undefined
    if (theirs !== undefined) return theirs // Another process was faster.
    throw keyFileError(path, describeError(error), 'Make room for it, or give a key with TAO_JOURNAL_KEY.')
  }
}

const keyFileError = (path: string, problem: string, fix: string): TaoError =>
  new TaoError('journal-key', `The journal's key ${path} cannot be used: ${problem}.`, { fix })

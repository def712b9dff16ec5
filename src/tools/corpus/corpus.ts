import { hash } from 'node:crypto'
import { fstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { untilAborted } from '../../core/deadline.ts'
import { describeError, TaoError } from '../../core/error.ts'
import { pace } from '../../sandbox/pace.ts'
import { closing, openInside } from '../../sandbox/safe-file.ts'
import { readDocument } from '../document/document.ts'
import { addressOf, pathAt } from './address.ts'
import { listDocuments } from './listing.ts'
import { type IndexedText, openTextIndex, type TextIndex } from './text-index.ts'

/** A folder of documents that can be searched and read. It is looked through at the first use; only contents that are new are read. */
export interface Corpus {
  /** The documents that fit best, best first. Rejects with a `TaoError`, or with the signal's reason. */
  search(query: string, signal: AbortSignal): Promise<readonly CorpusDocument[]>
  /** Rejects with a `TaoError` for an address that is not there or has no text, or with the signal's reason. */
  read(address: string, signal: AbortSignal): Promise<CorpusDocument>
}

export interface CorpusDocument {
  /** Stays the same as long as the file's path in the folder does. */
  readonly address: string
  readonly title: string
  readonly text: string
}

export interface CorpusOptions {
  readonly folder: string
  /** Where the index is kept for the next time. Default: in memory. */
  readonly indexFile?: string
}

const RESULTS = 10
const MOST_BYTES = 64 << 20

/** Throws a `TaoError` for a folder that is none, and what SQLite says of an index that cannot be used. */
export function openCorpus({ folder, indexFile = ':memory:' }: CorpusOptions): Corpus {
  const root = rootOf(folder)
  const index = openTextIndex(indexFile)
  let ready: Promise<Listing> | undefined
  const listing = async (signal: AbortSignal): Promise<Listing> => {
    if (ready !== undefined) {
      try {
        return await untilAborted(ready, signal)
      } catch {
        signal.throwIfAborted() // Else it was the other's signal that ended it.
      }
    }
    ready = lookThrough(root, index, signal)
    return await ready
  }
  return {
    async search(query, signal) {
      const { pathOf } = await listing(signal)
      return index.search(query, RESULTS).flatMap((key) => documentOf(index, key, pathOf.get(key)) ?? [])
    },
    async read(address, signal) {
      const path = pathAt(address)
      const key = (await listing(signal)).keyOf.get(path)
      const found = key === undefined ? undefined : index.get(key)
      if (found === undefined)
        throw new TaoError('corpus', `There is no document at ${address}.`, {
          fix: 'Take an address that search gave.',
        })
      if ('problem' in found) throw new TaoError('corpus', found.problem)
      return { address: addressOf(path), ...found }
    },
  }
}

/** What lies in the folder now. Of several files with the same content the first stands for all. */
interface Listing {
  readonly keyOf: ReadonlyMap<string, string>
  readonly pathOf: ReadonlyMap<string, string>
}

async function lookThrough(root: string, index: TextIndex, signal: AbortSignal): Promise<Listing> {
  const keyOf = new Map<string, string>()
  const pathOf = new Map<string, string>()
  const turn = pace()
  for (const path of listDocuments(root)) {
    await turn()
    const key = await take(root, path, { index, signal })
    keyOf.set(path.normalize(), key)
    if (!pathOf.has(key)) pathOf.set(key, path)
  }
  index.keepOnly(new Set(keyOf.values()))
  return { keyOf, pathOf }
}

interface Taking {
  readonly index: TextIndex
  readonly signal: AbortSignal
}

async function take(root: string, path: string, { index, signal }: Taking): Promise<string> {
  signal.throwIfAborted()
  const bytes = load(root, path)
  const content = typeof bytes === 'string' ? bytes : hash('sha256', bytes)
  const key = `${content} ${extname(path).toLowerCase()}`
  if (!index.has(key))
    index.add(key, typeof bytes === 'string' ? { problem: bytes } : await readText(path, bytes, signal))
  return key
}

/** A sentence for what is not loaded. */
function load(root: string, path: string): Uint8Array | string {
  try {
    return closing(openInside(root, path), (descriptor) => {
      const { size } = fstatSync(descriptor)
      if (size <= MOST_BYTES) return readFileSync(descriptor)
      return `The file has ${size} bytes; ${MOST_BYTES} are the most (limit "bytes").`
    })
  } catch {
    return 'The file cannot be opened.'
  }
}

/** Rows and lines are searched, so tables and lists of objects are not shortened to samples here. */
const AS_TEXT = /\.(?:csv|tsv|jsonl?|ndjson)$/i

async function readText(path: string, bytes: Uint8Array, signal: AbortSignal): Promise<IndexedText> {
  const name = AS_TEXT.test(path) ? `${path}.txt` : path
  try {
    const { title, text } = await readDocument({ name, bytes }, signal)
    return { title: title ?? headingIn(text) ?? nameIn(path), text }
  } catch (error) {
    signal.throwIfAborted()
    return { problem: describeError(error) }
  }
}

/** Of a text that begins with one, as Markdown does. */
const headingIn = (text: string): string | undefined => /^\s*#+ (.+)/.exec(text)?.[1]?.trim()

const nameIn = (path: string): string => basename(path, extname(path)).replaceAll(/[_-]+/g, ' ')

function documentOf(index: TextIndex, key: string, path: string | undefined): CorpusDocument | undefined {
  const found = path === undefined ? undefined : index.get(key)
  return path === undefined || found === undefined || 'problem' in found
    ? undefined
    : { address: addressOf(path), ...found }
}

function rootOf(folder: string): string {
  try {
    return realpathSync(folder)
  } catch (error) {
    throw new TaoError('corpus', `There is no folder ${folder} to take documents from.`, {
      fix: 'Name a folder that is there: "corpus: ./documents" in the task file.',
      cause: error,
    })
  }
}

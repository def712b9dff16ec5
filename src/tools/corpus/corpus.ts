import { hash } from 'node:crypto'
import { type BigIntStats, fstatSync, readFileSync, realpathSync } from 'node:fs'
import { basename, extname } from 'node:path'
import { untilAborted } from '../../core/deadline.ts'
import { describeError, TaoError } from '../../core/error.ts'
import { pace } from '../../sandbox/pace.ts'
import { closing, openInside } from '../../sandbox/safe-file.ts'
import { readDocument } from '../document/document.ts'
import { addressOf, pathAt } from './address.ts'
import { listDocuments } from './listing.ts'
import { type IndexedFile, type IndexedText, openTextIndex, type TextIndex } from './text-index.ts'

/**
 * A folder of documents that can be searched and read. It is looked through at the first use: only files whose size or times
 * have changed are looked into, and only contents that are new are read.
 */
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
  const files: IndexedFile[] = []
  const fresh = new Map<string, IndexedText>()
  const turn = pace()
  let added = performance.now()
  for (const path of listDocuments(root)) {
    await turn()
    signal.throwIfAborted()
    files.push(await take(root, path, { index, fresh, signal }))
    if (performance.now() - added < ADD_EVERY_MS) continue
    index.add(fresh)
    fresh.clear()
    added = performance.now()
  }
  index.add(fresh)
  index.keepOnly(files)
  return {
    keyOf: new Map(files.map(({ path, key }) => [path.normalize(), key])),
    pathOf: new Map(files.toReversed().map(({ path, key }) => [key, path])),
  }
}

/** About as much is read in vain when the process is killed. */
const ADD_EVERY_MS = 1_000

interface Taking {
  readonly index: TextIndex
  /** What was read and is not in the index yet. */
  readonly fresh: Map<string, IndexedText>
  readonly signal: AbortSignal
}

async function take(root: string, path: string, { index, fresh, signal }: Taking): Promise<IndexedFile> {
  const { stamp, ...loaded } = load(root, path, index)
  const stamped = stamp === undefined ? {} : { stamp }
  if ('key' in loaded) return { path, key: loaded.key, ...stamped }
  const content = 'problem' in loaded ? loaded.problem : hash('sha256', loaded.bytes)
  const key = `${content} ${extname(path).toLowerCase()}`
  if (!index.has(key) && !fresh.has(key))
    fresh.set(key, 'problem' in loaded ? loaded : await readText(path, loaded.bytes, signal))
  return { path, key, ...stamped }
}

/** The text that the index has of a file, or the content of one that is new, or a sentence for one that is not loaded. */
type Loaded = { readonly stamp?: string } & (
  | { readonly key: string }
  | { readonly bytes: Uint8Array }
  | { readonly problem: string }
)

function load(root: string, path: string, index: TextIndex): Loaded {
  try {
    return closing(openInside(root, path), (descriptor): Loaded => {
      const stats = fstatSync(descriptor, { bigint: true })
      const stamp = stampOf(stats)
      const key = stamp && index.keyOf(path, stamp)
      const stamped = stamp === undefined ? {} : { stamp }
      if (key !== undefined) return { key, ...stamped }
      if (stats.size <= MOST_BYTES) return { bytes: readFileSync(descriptor), ...stamped }
      const problem = `The file has ${stats.size} bytes; ${MOST_BYTES} are the most (limit "bytes").`
      return { problem, ...stamped }
    })
  } catch {
    return { problem: 'The file cannot be opened.' }
  }
}

/** Some file systems tell times by two seconds: within those a file can change once more and look the same. */
const SETTLED_MS = 2_000

function stampOf({ size, mtimeMs, mtimeNs, ctimeNs }: BigIntStats): string | undefined {
  const isSettled = Date.now() - Number(mtimeMs) > SETTLED_MS
  return isSettled ? `${size} ${mtimeNs} ${ctimeNs}` : undefined
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

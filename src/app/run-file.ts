import { createHash, type Hash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { createInterface } from 'node:readline'
import { describeError, TaoError } from '../core/error.ts'
import { isJsonObject, type JsonObject } from '../core/json.ts'
import { clashError } from '../journal/journal-error.ts'
import type { EventRecord, RunRecords } from '../journal/stored-journal.ts'
import { findProblem, type Problem } from '../journal/verify.ts'
import type { OpenedJournal } from './open-journal.ts'
import { findReferenced } from './referenced.ts'
import { findRun } from './stored-runs.ts'

/*
 * Runs as one file, lines of JSON: what it is; each run, followed by its events as they are kept; the results they speak
 * of; last a line with the SHA-256 of all before it, so that half a file is seen to be one.
 */

const VERSION = 1

interface Moved {
  readonly runs: readonly string[]
  readonly objects: number
}

/** Writes runs to a file that is not there yet. Rejects with a `TaoError`; then there is no file. */
export async function exportRuns(opened: OpenedJournal, wanted: readonly string[], path: string): Promise<Moved> {
  const names = (await opened.journal.runs()).map(({ run }) => run)
  const runs = [...new Set(wanted.map((each) => findRun(names, each)))]
  const file = await open(path, 'wx', 0o600).catch((error: unknown) => {
    throw fileError(path, describeError(error), 'Name a file that is not there yet, in a folder that you may write.')
  })
  try {
    const objects = await writeRuns(file, opened, runs)
    await file.datasync()
    return { runs, objects }
  } catch (error) {
    await rm(path, { force: true })
    throw error
  } finally {
    await file.close()
  }
}

async function writeRuns(
  file: FileHandle,
  { journal, store }: OpenedJournal,
  runs: readonly string[],
): Promise<number> {
  const hash = createHash('sha256')
  const write = async (value: object): Promise<void> => {
    const line = `${JSON.stringify(value)}\n`
    hash.update(line)
    await file.write(line)
  }
  const kept = new Set((await store.list()).map(({ sha256 }) => sha256))
  const objects = new Set<string>()
  await write({ tao: 'runs', version: VERSION })
  for (const run of runs) {
    const { records, ...head } = (await journal.records(run)) ?? { run, records: [] }
    await write({ ...head, events: records.length })
    for (const record of records) await write(record)
    for (const name of await findReferenced(records, store, kept)) objects.add(name)
  }
  for (const object of objects) await write({ object, text: await store.get(object) })
  await write({ sha256: hash.copy().digest('hex') })
  return objects.size
}

export interface Imported extends Moved {
  /** Runs that are whole, but that nothing here proves: of another key, without a key, or without a chain. */
  readonly unproved: readonly { readonly run: string; readonly problem: Problem }[]
}

/** Takes the runs of a file in. Rejects with a `TaoError` for what is damaged or there already; then nothing is taken. */
export async function importRuns(
  { journal, store, chain, checkpoints }: OpenedJournal,
  path: string,
): Promise<Imported> {
  const { runs, objects } = await readRunFile(path)
  const names = new Set((await journal.runs()).map(({ run }) => run))
  const clash = runs.find(({ run }) => names.has(run))
  if (clash !== undefined) throw clashError(clash.run)
  const links = runs.flatMap(({ records }) => records.flatMap(({ link }) => link ?? []))
  const unproved: { run: string; problem: Problem }[] = []
  for (const run of runs) {
    const problem = await findProblem(run, { chain, checkpoints: [], linksElsewhere: async () => links })
    if (problem === undefined) continue
    if (!['other-key', 'unkeyed', 'unchained'].includes(problem.kind))
      throw fileError(path, `run ${run.run} is ${problem.kind}, from event ${problem.seq} on. ${problem.detail}`)
    unproved.push({ run: run.run, problem })
  }
  for (const text of objects.values()) await store.put(text)
  for (const run of runs) {
    await journal.insert(run)
    const head = run.records.at(-1)?.link
    if (head !== undefined) checkpoints.add({ run: run.run, count: run.records.length, head })
  }
  return { runs: runs.map(({ run }) => run), objects: objects.size, unproved }
}

interface Contents {
  readonly runs: (RunRecords & { readonly records: EventRecord[]; readonly events: number })[]
  /** Texts by their SHA-256. */
  readonly objects: Map<string, string>
}

async function readRunFile(path: string): Promise<Contents> {
  const contents: Contents = { runs: [], objects: new Map() }
  const hash = createHash('sha256')
  let isWhole = false
  try {
    for await (const line of createInterface({ input: createReadStream(path), crlfDelay: Number.POSITIVE_INFINITY })) {
      if (isWhole) throw fileError(path, 'something stands after its end')
      isWhole = takeLine(contents, parse(line, path), { path, hash })
      hash.update(`${line}\n`)
    }
  } catch (error) {
    throw error instanceof TaoError
      ? error
      : fileError(path, describeError(error), 'See that it is there and may be read.')
  }
  const short = contents.runs.find(({ records, events }) => records.length !== events)
  if (!isWhole || short !== undefined) throw fileError(path, 'a part of it is missing')
  return contents
}

/** True for the last line. */
function takeLine(
  { runs, objects }: Contents,
  entry: JsonObject,
  { path, hash }: { path: string; hash: Hash },
): boolean {
  if (entry.tao === 'runs') {
    if (entry.version === VERSION) return false
    throw fileError(path, `it has version ${entry.version}, and this Tao knows version ${VERSION}`, 'Update Tao.')
  }
  if (typeof entry.run === 'string' && typeof entry.events === 'number') {
    const chain = typeof entry.chain === 'string' ? { chain: entry.chain } : {}
    runs.push({ run: entry.run, ...chain, events: entry.events, records: [] })
  } else if (typeof entry.seq === 'number' && typeof entry.fact === 'string') {
    const { seq, at, fact, link } = entry
    const times = typeof at === 'string' ? { at } : {}
    runs.at(-1)?.records.push({ seq, fact, ...times, ...(typeof link === 'string' ? { link } : {}) })
  } else if (typeof entry.object === 'string' && typeof entry.text === 'string') {
    if (createHash('sha256').update(entry.text).digest('hex') !== entry.object)
      throw fileError(path, `result ${entry.object} is not what its name says`)
    objects.set(entry.object, entry.text)
  } else if (typeof entry.sha256 === 'string') {
    if (entry.sha256 === hash.copy().digest('hex')) return true
    throw fileError(path, 'it was changed or damaged on its way')
  } else throw fileError(path, 'it is not a file that tao runs export has written')
  return false
}

function parse(line: string, path: string): JsonObject {
  try {
    const value: unknown = JSON.parse(line)
    if (isJsonObject(value)) return value
  } catch {
    // Said below.
  }
  throw fileError(path, 'a line of it is not JSON, so it was cut or is another file')
}

const fileError = (path: string, problem: string, fix = 'Nothing was taken. Export the runs again.'): TaoError =>
  new TaoError('run-file', `${path} cannot be used: ${problem.replace(/\.$/, '')}.`, { fix })

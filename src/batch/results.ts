import { existsSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import { identify, isAlive, type ProcessIdentity } from '../sandbox/process.ts'
import { type AppendFile, openAppendFile, readAppended } from './append-file.ts'
import type { Shard } from './dataset.ts'
import { takeOutFailed } from './failed-records.ts'
import type { BatchRecord, RolloutName } from './record.ts'

/** Where the results of a batch, or of one part of it, are kept. */
export interface ResultsPlace {
  readonly folder: string
  readonly rollouts: number
  readonly shard: Shard
  /** File names as Alibaba's DeepResearch has them. Default: Tao's own. */
  readonly compat: boolean
}

/** The results of a batch: what is there already, and what comes. */
export interface Results {
  /** Whether this rollout has its record. Throws a `TaoError` when the row is not the one that was run. */
  has(name: RolloutName): boolean
  /** The run that an earlier process began for it. */
  runOf(name: RolloutName): string | undefined
  /** Says which run is under way for it, so that another process can go on with that one. */
  began(name: RolloutName, run: string): void
  add(record: BatchRecord): void
  /** US dollars of the records that were there; undefined when one of them is not known. */
  readonly spentBefore: number | undefined
  close(): void
}

const resultFile = ({ compat, shard, folder }: ResultsPlace, rollout: number): string => {
  const part =
    shard.of === 1 ? '' : compat ? `_split${shard.number}of${shard.of}` : `-part-${shard.number}-of-${shard.of}`
  return join(folder, compat ? `iter${rollout}${part}.jsonl` : `rollout-${rollout}${part}.jsonl`)
}

const partName = ({ shard }: ResultsPlace): string => (shard.of === 1 ? '' : `-part-${shard.number}-of-${shard.of}`)

/** `new`: there are none yet. `resume`: they are gone on with. `retry`: and what has an `error` is run again. */
export type ResultsMode = 'new' | 'resume' | 'retry'

/** Opens the result files. Rejects with a `TaoError`; one process has them at a time. */
export async function openResults(place: ResultsPlace, mode: ResultsMode): Promise<Results> {
  mkdirSync(place.folder, { recursive: true })
  const unlock = lock(join(place.folder, `lock${partName(place)}.json`), place.folder)
  try {
    return await openLocked(place, mode, unlock)
  } catch (error) {
    unlock()
    throw error
  }
}

async function openLocked(place: ResultsPlace, mode: ResultsMode, unlock: () => void): Promise<Results> {
  const paths = Array.from({ length: place.rollouts }, (_, at) => resultFile(place, at + 1))
  const runsPath = join(place.folder, `runs${partName(place)}.jsonl`)
  const old = [...paths, runsPath].find((path) => existsSync(path))
  if (mode === 'new' && old !== undefined)
    throw new TaoError('results', `There are results in ${place.folder} already.`, {
      fix: 'Go on with them with --resume, or give another --out.',
    })
  if (mode === 'retry') await beginAnew(paths, runsPath)
  const done = await readDone(paths)
  const runs = await readRuns(runsPath)
  const files = paths.map(openAppendFile)
  const runsFile = openAppendFile(runsPath)
  return {
    spentBefore: done.spent,
    has: ({ row, rollout }) => isSame(done.digests.get(keyOf(row.id, rollout)), row.digest, row.id),
    runOf: ({ row, rollout }) => runs.get(keyOf(row.id, rollout)),
    began: ({ row, rollout }, run) => runsFile.append({ id: row.id, rollout, run }),
    add: (record) => fileOf(files, record.rollout).append(record),
    close() {
      for (const file of [...files, runsFile]) file.close()
      unlock()
    },
  }
}

/** A failed run has ended: it would give the same record again. */
async function beginAnew(paths: readonly string[], runsPath: string): Promise<void> {
  const runsFile = openAppendFile(runsPath)
  for (const [at, path] of paths.entries())
    for (const id of await takeOutFailed(path)) runsFile.append({ id, rollout: at + 1 })
  runsFile.close()
}

const keyOf = (id: string, rollout: number): string => `${rollout} ${id}`

function isSame(before: string | undefined, now: string, id: string): boolean {
  if (before === undefined || before === now) return before !== undefined
  throw new TaoError('results', `The row ${id} of the dataset is not what it was when it was run.`, {
    fix: 'Give the row another id, or the batch another --out.',
  })
}

function fileOf(files: readonly AppendFile[], rollout: number): AppendFile {
  const file = files[rollout - 1]
  if (file === undefined) throw new Error(`There is no rollout ${rollout}.`)
  return file
}

interface Done {
  readonly digests: ReadonlyMap<string, string>
  readonly spent: number | undefined
}

async function readDone(paths: readonly string[]): Promise<Done> {
  const digests = new Map<string, string>()
  let spent: number | undefined = 0
  for (const [at, path] of paths.entries())
    for await (const { id, digest, outcome } of readAppended(path) as AsyncIterable<Partial<BatchRecord>>) {
      if (id === undefined || digest === undefined)
        throw new TaoError('results', `${path} holds a line without its id.`)
      digests.set(keyOf(id, at + 1), digest)
      const cost = outcome === undefined ? 0 : outcome.usage.cost
      spent = spent === undefined || cost === undefined ? undefined : spent + cost
    }
  return { digests, spent }
}

/** The last line of a rollout counts; one without a run says that it is to be begun anew. */
async function readRuns(path: string): Promise<ReadonlyMap<string, string>> {
  const runs = new Map<string, string>()
  for await (const { id, rollout, run } of readAppended(path)) {
    const key = keyOf(String(id), Number(rollout))
    if (typeof run === 'string') runs.set(key, run)
    else runs.delete(key)
  }
  return runs
}

/** Two processes on one result file would write records twice. A lock whose process is gone holds nobody. */
function lock(path: string, folder: string): () => void {
  const me = JSON.stringify(identify(process.pid) ?? { pid: process.pid })
  try {
    writeFileSync(path, me, { flag: 'wx' })
  } catch {
    if (isHeld(path))
      throw new TaoError('results', `Another process is writing results to ${folder}.`, {
        fix: 'Wait for it, or give another --out or --shard.',
      })
    writeFileSync(path, me)
  }
  return () => rmSync(path, { force: true })
}

function isHeld(path: string): boolean {
  try {
    return isAlive(JSON.parse(readFileSync(path, 'utf8')) as ProcessIdentity & JsonObject)
  } catch {
    return false
  }
}

// What it takes to replay a run, and what its record costs while it is made, snapshots of the working copy included.
//   npm run bench:replay
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { z } from 'zod'
import { systemClock } from '../src/core/clock.ts'
import { DEFAULT_LIMITS } from '../src/core/limits.ts'
import { fileStore } from '../src/journal/file-store.ts'
import { openSqliteJournal } from '../src/journal/sqlite.ts'
import type { Model } from '../src/model/model.ts'
import { scripted } from '../src/model/scripted.ts'
import { native } from '../src/protocol/native.ts'
import { advance } from '../src/run/advance.ts'
import { replay } from '../src/run/replay.ts'
import type { Parts } from '../src/run/run.ts'
import { type RunSpec, startRun } from '../src/run/start.ts'
import { makeWorkspace } from '../src/sandbox/working-copy.ts'
import type { Workspace } from '../src/sandbox/workspace.ts'
import { tool } from '../src/tools/define.ts'
import type { Tool } from '../src/tools/tool.ts'

const folder = mkdtempSync(join(tmpdir(), 'tao-bench-'))
chmodSync(folder, 0o711) // Commands of root's runs run as another user.
const ROUNDS = 3
let places = 0

/** Changes one of ten files, and answers with 2 KB. */
const change = (workspace: Workspace | undefined): Tool =>
  tool({
    name: 'change',
    description: 'Changes a file.',
    input: z.strictObject({ n: z.number() }),
    run: ({ n }) => {
      if (workspace !== undefined)
        writeFileSync(join(workspace.view.copy, `changed-${n % 10}.txt`), `${n}\n`.repeat(50))
      return `${n} ${'as it was measured. '.repeat(100)}`
    },
  })

function makeTree(files: number): string {
  const root = join(folder, `tree-${places++}`)
  for (let at = 0; at < files; at++) {
    const into = join(root, `folder-${Math.floor(at / 50)}`)
    if (at % 50 === 0) mkdirSync(into, { recursive: true })
    writeFileSync(join(into, `file-${at}.txt`), `line ${at}\n`.repeat(40))
  }
  return root
}

const copyOf = (source: string): Promise<Workspace> =>
  makeWorkspace({ source, place: join(folder, `place-${places++}`), protect: [] })

/** Keeps no copies of what it is asked, unlike the scripted model: those would cost more with each step. */
function changingUntil(steps: number): Model {
  const { name, openBody } = scripted([])
  const times = { firstByteMs: 0, totalMs: 0 }
  return {
    name,
    openBody,
    ask: async ({ step }) =>
      step < steps
        ? {
            text: '',
            calls: [{ id: `c${step}`, name: 'change', arguments: `{"n":${step}}` }],
            finish: 'calls',
            ...times,
          }
        : { text: 'Done.', calls: [], finish: 'stop', ...times },
  }
}

interface Recorded {
  readonly spec: RunSpec
  readonly parts: Parts
  readonly ms: number
  readonly cpuMs: number
  readonly journalBytes: number
}

/** A run of so many steps, in SQLite and a content store on disk. */
async function recordRun(steps: number, workspace: Workspace | undefined): Promise<Recorded> {
  const path = join(folder, `${places++}.sqlite`)
  const journal = openSqliteJournal(path)
  const changing = change(workspace)
  const parts: Parts = {
    model: changingUntil(steps),
    ...{ protocol: native, tools: new Map([['change', changing]]), criteria: [], clock: systemClock },
    ...{ journal, store: fileStore(join(folder, 'objects')) },
    ...(workspace === undefined ? {} : { workspace }),
  }
  const limits = { ...DEFAULT_LIMITS, modelCalls: 9_999, toolCalls: 9_999, tokens: 1e12, contextTokens: 1e12 }
  const asked = { id: 'run-1', task: 'Do it.', client: 'bench', limits }
  const spec: RunSpec = { ...asked, temperature: 0, maxOutputTokens: 800, stream: false, thinking: false }
  const [began, cpu] = [performance.now(), process.cpuUsage()]
  const outcome = await advance(await startRun(spec, parts), new AbortController().signal)
  const [ms, cpuMs] = [performance.now() - began, cpuSince(cpu)]
  if (outcome?.status !== 'answered') throw new Error(`The run ended as ${outcome?.status}: ${outcome?.reason}`)
  const events = await journal.read('run-1')
  const journalBytes = events.reduce((sum, event) => sum + Buffer.byteLength(JSON.stringify(event)), 0)
  return { spec, parts, ms, cpuMs, journalBytes }
}

/** The middle of some rounds; a long run is its own average. */
async function middle<T>(measure: () => Promise<T>, by: (result: T) => number, rounds = ROUNDS): Promise<T> {
  const results: T[] = []
  for (let round = 0; round < rounds; round++) results.push(await measure())
  const [result] = results.sort((a, b) => by(a) - by(b)).slice(Math.floor(rounds / 2))
  if (result === undefined) throw new Error('Nothing was measured.')
  return result
}

async function replayed(steps: number): Promise<object> {
  const { spec, parts } = await recordRun(steps, undefined)
  const events = await parts.journal.read('run-1')
  const found = await middle(
    async () => {
      const [began, before] = [performance.now(), process.cpuUsage()]
      const { difference } = await replay({ spec, parts, events })
      if (difference !== undefined) throw new Error(JSON.stringify(difference))
      return { ms: performance.now() - began, cpuMs: cpuSince(before) }
    },
    ({ cpuMs }) => cpuMs,
  )
  await parts.journal.close()
  return { steps, events: events.length, 'replay ms': Math.round(found.ms), 'CPU ms': Math.round(found.cpuMs) }
}

function cpuSince(before: NodeJS.CpuUsage): number {
  const { user, system } = process.cpuUsage(before)
  return (user + system) / 1000
}

async function stepCost(steps: number, files: number | undefined): Promise<object> {
  const tree = files === undefined ? undefined : makeTree(files)
  const found = await middle(
    async () => {
      const recorded = await recordRun(steps, tree === undefined ? undefined : await copyOf(tree))
      await recorded.parts.journal.close()
      return recorded
    },
    ({ cpuMs }) => cpuMs,
    steps < 1_000 ? ROUNDS : 1,
  )
  return {
    'files in the tree': files ?? 'no workspace',
    steps,
    'CPU ms/step': Number((found.cpuMs / steps).toFixed(2)),
    'ms/step': Number((found.ms / steps).toFixed(2)),
    'journal bytes/step': Math.round(found.journalBytes / steps),
  }
}

try {
  console.log(`${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}, Node ${process.version}`)
  const replays = []
  for (const steps of [100, 400, 1_000]) replays.push(await replayed(steps))
  console.table(replays)
  const costs = []
  for (const steps of [10, 100, 1_000]) costs.push(await stepCost(steps, undefined))
  for (const steps of [10, 100, 1_000]) costs.push(await stepCost(steps, 200))
  for (const files of [1_000, 10_000]) costs.push(await stepCost(20, files))
  console.table(costs)
} finally {
  rmSync(folder, { recursive: true, force: true })
}

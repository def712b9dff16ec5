// `npm run bench:sandbox`: what a sandbox costs, beside a plain spawn of `bash -c true` in the same round.
import { spawn } from 'node:child_process'
import { chownSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Duplex } from 'node:stream'
import { setTimeout as sleep } from 'node:timers/promises'
import { bubblewrap } from '../src/sandbox/bubblewrap.ts'
import { GUARD } from '../src/sandbox/launch.ts'
import type { Sandbox, View } from '../src/sandbox/sandbox.ts'
import { sandboxUser } from '../src/sandbox/user.ts'

const ROUNDS = Number(process.argv[2] ?? 60)
const TOGETHER = { runs: 100, atOnce: 4 }
/** Milliseconds for what was started before to come to rest, and for what was started ahead to stand. */
const PAUSE = 60
const AHEAD_PAUSE = 400

const ARGV = ['/bin/bash', '-c', 'true']
const signal = new AbortController().signal

interface Row {
  readonly name: string
  readonly target?: number
  readonly pause?: number
  run(): Promise<unknown>
}

/** Ten files in five folders: ten read-only mounts, and the folders above pinned. */
const PROTECTED = Array.from({ length: 10 }, (_, i) => `part${i % 5}/tests${i}.txt`)

function makeCopy(): string {
  const { uid, gid } = sandboxUser()
  const folder = mkdtempSync(join(tmpdir(), 'tao-bench-sandbox-'))
  for (let i = 0; i < 5; i++) mkdirSync(join(folder, `part${i}`))
  for (const path of PROTECTED) writeFileSync(join(folder, path), 'text')
  for (const path of ['.', 'part0', 'part1', 'part2', 'part3', 'part4']) chownSync(join(folder, path), uid, gid)
  return folder
}

/** What bash loads of a language is a part of its start, in the sandbox and outside. */
const ENVIRONMENT = { PATH: '/usr/bin:/bin', LANG: 'C.UTF-8' }

const plain = (): Promise<unknown> =>
  closed(spawn('/bin/bash', ['-c', 'true'], { env: ENVIRONMENT, stdio: ['ignore', 'pipe', 'pipe'] }))

/** The shell that watches over a start, around the same command. */
function guarded(): Promise<unknown> {
  const stdio = ['ignore' as const, ...Array<'pipe'>(9).fill('pipe')]
  const child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...ARGV], { env: ENVIRONMENT, stdio, detached: true })
  const guard = (child.stdio as unknown[])[9] as Duplex
  guard.on('error', () => {}).end('ready\n')
  return closed(child)
}

const closed = (child: ReturnType<typeof spawn>): Promise<unknown> =>
  new Promise((resolve, reject) => child.on('error', reject).on('close', resolve))

async function inside(sandbox: Sandbox, view?: View): Promise<void> {
  const { exit } = await sandbox.run({ argv: ARGV, ...(view === undefined ? {} : { view }) }, signal)
  if (exit !== 0) throw new Error(`exit ${exit}`)
}

async function together(run: () => Promise<unknown>): Promise<void> {
  const worker = async () => {
    for (let i = 0; i < TOGETHER.runs / TOGETHER.atOnce; i++) await run()
  }
  await Promise.all(Array.from({ length: TOGETHER.atOnce }, worker))
}

async function time(run: () => Promise<unknown>): Promise<number> {
  const begun = performance.now()
  await run()
  return performance.now() - begun
}

/** Each round runs all of them; a ratio is taken within its round, so that a busy moment falls on both. */
async function measure(rows: readonly Row[], rounds: number): Promise<number[][]> {
  const samples = rows.map((): number[] => [])
  for (let round = -1; round < rounds; round++)
    for (const [i, row] of rows.entries()) {
      const took = await time(row.run)
      if (round >= 0) samples[i]?.push(took)
      await sleep(row.pause ?? PAUSE)
    }
  return samples
}

const median = (values: readonly number[]): number => values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN

/** The first row is what the others stand beside. `each`: runs in one sample. */
function lines(rows: readonly Row[], samples: readonly number[][], each: number): string[] {
  const floor = samples[0] ?? []
  return rows.map(({ name, target }, i) => {
    const own = samples[i] ?? []
    const ratio = median(own.map((value, round) => value / (floor[round] ?? Number.NaN)))
    const holds = target === undefined ? '–' : ratio <= target ? 'yes' : '**no**'
    const cells = [
      name,
      (median(own) / each).toFixed(1),
      `×${ratio.toFixed(2)}`,
      target === undefined ? '–' : `≤ ×${target.toFixed(1)}`,
      holds,
    ]
    return `| ${cells.join(' | ')} |`
  })
}

const copy = makeCopy()
const view = { copy, protect: [] }
const guardedView = { copy, protect: PROTECTED }
const [cold, ahead, aheadProtected] = [bubblewrap(), bubblewrap({ ahead: true }), bubblewrap({ ahead: true })]
const single: Row[] = [
  { name: 'plain `bash -c true`', run: plain },
  { name: 'cold sandbox', target: 5.5, run: () => inside(cold, view) },
  { name: 'cold, 10 protected paths', run: () => inside(cold, guardedView) },
  { name: 'pre-started', target: 1, pause: AHEAD_PAUSE, run: () => inside(ahead, view) },
  { name: 'pre-started, 10 protected paths', pause: AHEAD_PAUSE, run: () => inside(aheadProtected, guardedView) },
  { name: 'the guard’s shell around the plain command', run: guarded },
]
const many: Row[] = [
  { name: `plain, ${TOGETHER.runs} runs, ${TOGETHER.atOnce} at a time`, run: () => together(plain) },
  {
    name: `cold sandbox, ${TOGETHER.runs} runs, ${TOGETHER.atOnce} at a time`,
    run: () => together(() => inside(cold, view)),
  },
]
try {
  const before = loadavg()[0] ?? 0
  const table = [
    '| one run | ms (median) | beside plain | target | holds |',
    '| --- | --- | --- | --- | --- |',
    ...lines(single, await measure(single, ROUNDS), 1),
    ...lines(many, await measure(many, Math.max(1, ROUNDS / 20)), TOGETHER.runs),
  ]
  const load = `load ${before.toFixed(1)} before, ${(loadavg()[0] ?? 0).toFixed(1)} after`
  console.log(`${ROUNDS} rounds, ${cpus().length} cores, Node ${process.version}, ${load}\n\n${table.join('\n')}`)
} finally {
  await Promise.all([ahead.close(), aheadProtected.close()])
  rmSync(copy, { recursive: true })
}

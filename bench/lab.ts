import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync, mkdirSync, mkdtempSync, rmSync, statfsSync, statSync, writeFileSync } from 'node:fs'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Counts } from './server.ts'
import type { Cost, Job, Order } from './worker.ts'

/** One fresh process that did one job. */
export interface Sample extends Cost, Counts {
  /** Milliseconds from the start of the process to the arrival of its first request. */
  readonly coldMs: number
  /** Size of the journal after the last run; 0 for a runner without one. */
  readonly journalBytes: number
  readonly load: number
}

export interface Lab extends AsyncDisposable {
  /** Rejects when the job was not done as told: another answer, another number of calls or requests. */
  measure(job: Job): Promise<Sample>
}

const ROOT = join(import.meta.dirname, '..')
const CACHE = join(ROOT, 'node_modules/.cache/tao-bench')
const TMPFS = 0x01021994
const LONGEST_MS = 300_000

/**
 * Builds what is measured (users run JavaScript, and stripping types costs time and memory at start) and starts the
 * scripted service in a process of its own.
 */
export async function openLab(): Promise<Lab> {
  await build()
  const env = { ...process.env, NODE_ENV: 'production' }
  const server = spawn(process.execPath, [join(CACHE, 'bench/server.js')], {
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  const port = Number(await firstOutput(server))
  const folder = mkdtempSync(join(folderOnDisk(), 'tao-bench-'))
  const address = `http://127.0.0.1:${port}`
  let count = 0

  async function measure(job: Job): Promise<Sample> {
    const label = `${job.runner}-${count++}`
    const database = join(folder, 'journal')
    const order: Order = { ...job, address, label, database }
    const began = performance.timeOrigin + performance.now()
    const output = await finish(
      spawn(process.execPath, [join(CACHE, 'bench/worker.js'), JSON.stringify(order)], { env }),
    )
    const counts = (await (await fetch(`${address}/${label}`)).json()) as Counts
    const expected = job.runs * (job.rounds + 1)
    if (counts.requests !== expected) throw new Error(`${label}: ${counts.requests} requests, not ${expected}`)
    const kept = `${database}-${label}`
    const journalBytes = existsSync(kept) ? statSync(kept).size : 0
    empty(folder)
    const cost = JSON.parse(output.trim().split('\n').at(-1) ?? '') as Cost
    return { ...cost, ...counts, coldMs: counts.firstAt - began, journalBytes, load: loadavg()[0] ?? 0 }
  }

  return {
    measure,
    async [Symbol.asyncDispose]() {
      server.kill()
      rmSync(folder, { recursive: true })
    },
  }
}

async function build(): Promise<void> {
  rmSync(CACHE, { recursive: true, force: true })
  const compiler = join(ROOT, 'node_modules/.bin/tsc')
  await finish(spawn(compiler, ['-p', join(ROOT, 'bench/tsconfig.json')]))
  writeFileSync(join(CACHE, 'package.json'), '{ "type": "module" }\n')
}

/** The temporary folder is in memory on some machines, and then a commit would cost nothing. */
function folderOnDisk(): string {
  return statfsSync(tmpdir()).type === TMPFS ? CACHE : tmpdir()
}

function empty(folder: string): void {
  rmSync(folder, { recursive: true })
  mkdirSync(folder)
}

function firstOutput(child: ChildProcess): Promise<string> {
  return new Promise((resolve, reject) => {
    child.stdout?.once('data', (data) => resolve(String(data)))
    child.once('exit', (code) => reject(new Error(`the scripted service ended with ${code}`)))
  })
}

/** Resolves to what it printed; rejects with its last words. */
function finish(child: ChildProcess): Promise<string> {
  let output = ''
  let words = ''
  child.stdout?.on('data', (data) => (output += data))
  child.stderr?.on('data', (data) => (words += data))
  const timer = setTimeout(() => child.kill('SIGKILL'), LONGEST_MS)
  return new Promise((resolve, reject) => {
    child.once('close', (code) => {
      clearTimeout(timer)
      if (code === 0) resolve(output)
      else reject(new Error(`exit ${code}: ${(words || output).slice(-2_000)}`))
    })
  })
}

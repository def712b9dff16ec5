// `npm run bench:batch`: a batch against a model server that takes its time, and a batch that is killed again and again.
//   npm run bench:batch -- rate     how near the rate comes to what latency and concurrency allow, and what memory it takes
//   npm run bench:batch -- kills    killed with SIGKILL ten times at random moments and resumed: every record, once
// The server, the batch and this command are processes of their own; on a busy machine look at the load beside the figures.
import { type ChildProcess, fork, spawn } from 'node:child_process'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { loadavg, tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { type BatchRequest, openBatch } from '../src/app/open-batch.ts'
import { readSettings } from '../src/app/settings.ts'

const LATENCY_MS = 100
const ITEMS = 1_000
const KILLS = 10
const MAIN = join(import.meta.dirname, '../src/cli/main.ts')

/** A server whose every answer takes the latency: some calls of a tool, then the answer. */
function serve(): void {
  const reply = (message: object) =>
    JSON.stringify({
      choices: [{ index: 0, finish_reason: 'stop', message: { role: 'assistant', ...message } }],
      usage: { prompt_tokens: 200, completion_tokens: 20 },
    })
  const body = Buffer.from(reply({ content: 'It is 4.' }))
  const server = createServer((request, response) => {
    request.resume()
    setTimeout(() => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': body.length })
      response.end(body)
    }, LATENCY_MS)
  })
  server.listen({ port: 0, host: '127.0.0.1', backlog: 4096 }, () => {
    process.send?.(`http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`)
  })
}

interface Measured {
  readonly seconds: number
  /** Processor time of the batch's own process, for each item. */
  readonly cpuMs: number
  /** Heap in use after a collection, with as many items under way at both times. */
  readonly heapAt200: number
  readonly heapAt900: number
}

/** One batch in this process; a small one before it has loaded what runs need. */
async function runHere({ folder, address, concurrency }: Work): Promise<Measured> {
  const warm = await open({ folder, address, concurrency }, { out: 'warm', rows: concurrency })
  await warm.run({ finishing: NEVER })
  await warm.close()
  const batch = await open({ folder, address, concurrency }, { out: 'results' })
  const heaps: number[] = []
  let done = 0
  const began = performance.now()
  const cpu = process.cpuUsage()
  await batch.run({
    finishing: NEVER,
    onRollout: () => {
      done++
      if (done === 200 || done === 900) heaps.push(heapInUse())
    },
  })
  const { user, system } = process.cpuUsage(cpu)
  const seconds = (performance.now() - began) / 1000
  await batch.close()
  const [heapAt200 = 0, heapAt900 = 0] = heaps
  return { seconds, cpuMs: (user + system) / 1000 / ITEMS, heapAt200, heapAt900 }
}

const NEVER = new AbortController().signal

interface Work {
  readonly folder: string
  readonly address: string
  readonly concurrency: number
}

const open = ({ folder, address, concurrency }: Work, wish: Pick<BatchRequest, 'out' | 'rows'>) =>
  openBatch(
    {
      ...{ dataset: 'items.jsonl', task: 'ask.task.yaml', mode: 'new', ...wish },
      ...{ endpoints: [address], limits: {}, rollouts: 1, concurrency, shard: { number: 1, of: 1 } },
      overrides: { folder, model: 'openai-compatible/bench', baseUrl: address },
    },
    readSettings({ TAO_HOME: join(folder, 'state') }),
  )

function heapInUse(): number {
  globalThis.gc?.()
  return process.memoryUsage().heapUsed
}

function makeFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'tao-bench-batch-'))
  const rows = Array.from({ length: ITEMS }, (_, at) =>
    JSON.stringify({ question: `What is ${at} and 2?`, answer: '4' }),
  )
  writeFileSync(join(folder, 'items.jsonl'), `${rows.join('\n')}\n`)
  writeFileSync(join(folder, 'ask.task.yaml'), 'task: "{{question}}"\ntools: []\n')
  return folder
}

const messageOf = <T>(child: ChildProcess): Promise<T> =>
  new Promise((resolve, reject) => {
    child.once('message', (message) => resolve(message as T))
    child.once('exit', (code) => reject(new Error(`It ended with ${code}.`)))
  })

async function measureRate(address: string): Promise<void> {
  const rows: object[] = []
  for (const concurrency of [10, 100, 100, 100]) {
    const ideal = concurrency / (LATENCY_MS / 1000)
    const folder = makeFolder()
    const [before = 0] = loadavg()
    const args = ['worker', folder, address, String(concurrency)]
    const worker = fork(import.meta.filename, args, { execArgv: ['--expose-gc'] })
    const { seconds, cpuMs, heapAt200, heapAt900 } = await messageOf<Measured>(worker)
    rmSync(folder, { recursive: true })
    const rate = ITEMS / seconds
    rows.push({
      concurrency,
      'items/s': Math.round(rate),
      'ideal items/s': ideal,
      'rate ÷ ideal': Number((rate / ideal).toFixed(3)),
      'CPU ms/item': Number(cpuMs.toFixed(2)),
      'heap MB at 200': Number((heapAt200 / 1e6).toFixed(1)),
      'heap MB at 900': Number((heapAt900 / 1e6).toFixed(1)),
      load: Number(before.toFixed(1)),
    })
  }
  console.table(rows)
}

async function measureKills(address: string): Promise<void> {
  const folder = makeFolder()
  const results = join(folder, 'results/rollout-1.jsonl')
  const args = ['batch', 'items.jsonl', '--task', 'ask.task.yaml', '--out', 'results', '--quiet', '--resume']
  const model = ['--model', 'openai-compatible/bench', '--base-url', address, '--concurrency', '20']
  const start = () =>
    spawn(process.execPath, [MAIN, ...args, ...model], {
      cwd: folder,
      env: { PATH: process.env.PATH ?? '', TAO_HOME: join(folder, 'state') },
      stdio: 'ignore',
    })
  const ended = (child: ChildProcess) => new Promise<number | null>((resolve) => child.once('exit', resolve))
  const rows: object[] = []
  for (let kill = 1; kill <= KILLS; kill++) {
    const child = start()
    const end = ended(child)
    const before = recordsIn(results).length
    // Every third is killed wherever it is, at its start too; the others when they have begun to write.
    while (kill % 3 !== 0 && recordsIn(results).length === before) await wait(20)
    await wait(Math.random() * 700)
    child.kill('SIGKILL')
    await end
    rows.push({ kill, 'records so far': recordsIn(results).length })
  }
  const code = await ended(start())
  const ids = recordsIn(results)
  rows.push({ kill: 'none', 'records so far': ids.length })
  console.table(rows)
  console.log(`exit ${code}; ${ids.length} records, ${new Set(ids).size} different, of ${ITEMS} items`)
  rmSync(folder, { recursive: true })
  if (ids.length !== ITEMS || new Set(ids).size !== ITEMS) process.exitCode = 1
}

/** The ids of whole lines. */
function recordsIn(path: string): string[] {
  let text = ''
  try {
    text = readFileSync(path, 'utf8')
  } catch {
    // Killed before the first record.
  }
  return text
    .split('\n')
    .slice(0, -1)
    .map((line) => (JSON.parse(line) as { readonly id: string }).id)
}

async function main(wanted: string | undefined): Promise<void> {
  const server = fork(import.meta.filename, ['server'])
  const address = await messageOf<string>(server)
  try {
    if (wanted !== 'kills') await measureRate(address)
    if (wanted !== 'rate') await measureKills(address)
  } finally {
    server.kill()
  }
}

const [what, folder = '', address = '', concurrency] = process.argv.slice(2)
if (what === 'server') serve()
else if (what === 'worker')
  process.send?.(await runHere({ folder, address, concurrency: Number(concurrency) }), undefined, undefined, () =>
    process.exit(),
  )
else await main(what)

// One fresh process, one runner, one job (JSON in the first argument). Prints what it cost as a line of JSON.
import type { Agent } from './runners/runner.ts'
import { RUNNERS } from './runners/runner.ts'
import { ANSWER, calls } from './work.ts'

export interface Job {
  readonly runner: string
  /** Replies with a call in each run. */
  readonly rounds: number
  readonly runs: number
  readonly atOnce: number
  /** Bytes of text beside each call. */
  readonly text: number
  readonly stream: boolean
  readonly everyCommitDurable: boolean
  /** The script around the runner has loaded Zod for purposes of its own. */
  readonly zodAnyway: boolean
  /** Runs of 20 rounds before anything is measured. */
  readonly warmUpRuns: number
}

export interface Order extends Job {
  readonly address: string
  /** The service counts under this name. */
  readonly label: string
  /** Path of the database; the label is put behind it. */
  readonly database: string
}

/** CPU of all threads and time are of one step: one model call and what follows from it. */
export interface Cost {
  readonly cpuMs: number
  readonly wallMs: number
  readonly stepsPerSecond: number
  readonly peakMB: number
}

const order = JSON.parse(process.argv[2] ?? '') as Order
const load = RUNNERS[order.runner]
if (load === undefined) throw new Error(`There is no runner ${order.runner}.`)
if (order.zodAnyway) await import('zod')
const { openAgent } = await load()

const open = (label: string, rounds: number): Promise<Agent> =>
  openAgent({
    baseUrl: `${order.address}/${label}/${rounds}/${order.text}/v1`,
    rounds,
    stream: order.stream,
    database: `${order.database}-${label}`,
    everyCommitDurable: order.everyCommitDurable,
  })

async function runOnce(agent: Agent, id: string): Promise<void> {
  const answer = await agent.run(`Fetch all entries of ${id}.`, id)
  if (!answer.startsWith(ANSWER)) throw new Error(`${order.runner}: wrong answer ${JSON.stringify(answer)}`)
}

async function runAll(agent: Agent): Promise<void> {
  let next = 0
  const lane = async (): Promise<void> => {
    while (next < order.runs) await runOnce(agent, `run-${next++}`)
  }
  await Promise.all(Array.from({ length: order.atOnce }, lane))
  await agent.close()
}

if (order.warmUpRuns > 0) {
  const agent = await open('warm', 20)
  for (let n = 0; n < order.warmUpRuns; n++) await runOnce(agent, `warm-${n}`)
  await agent.close()
}
const agent = await open(order.label, order.rounds)
calls.count = 0
const cpuBefore = process.cpuUsage()
const began = performance.now()
await runAll(agent)
const wall = performance.now() - began
const cpu = process.cpuUsage(cpuBefore)
const steps = order.runs * (order.rounds + 1)
if (calls.count !== steps - order.runs) throw new Error(`${order.runner}: the tool was called ${calls.count} times`)
const cost: Cost = {
  cpuMs: (cpu.user + cpu.system) / 1000 / steps,
  wallMs: wall / steps,
  stepsPerSecond: (steps / wall) * 1000,
  peakMB: process.resourceUsage().maxRSS / 1024,
}
console.log(JSON.stringify(cost))
process.exit(0)

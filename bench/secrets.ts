// `node bench/secrets.ts`: what masking costs a step, without secrets and with some, over the same scripted run.
import { cpus, loadavg } from 'node:os'
import { maskerFor } from '../src/core/secrets.ts'
import { run, type ScriptReply, scripted, type Tool } from '../src/index.ts'

const STEPS = 100
const ROUNDS = 15
const RESULT = 'A line of output as a command prints it, of some length.\n'.repeat(20)
const KEYS = [
  'sk-0123456789abcdef0123456789abcdef',
  'tvly-abcdefghijklmnopqrstuvwx',
  'ghp_ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789',
]

const look: Tool = {
  definition: {
    name: 'look',
    description: 'Looks.',
    parameters: { type: 'object', properties: { n: { type: 'number' } } },
  },
  effects: ['read'],
  timeLimit: 60_000,
  validate: async (input) => ({ ok: true, input }),
  execute: async (input) => ({ ok: true, text: `${JSON.stringify(input)}\n${RESULT}` }),
}

const replies = (): ScriptReply[] => [
  ...Array.from({ length: STEPS - 1 }, (_, n) => ({
    text: 'I look again.',
    calls: [{ name: 'look', arguments: { n } }],
  })),
  { text: 'done' },
]

/** Microseconds of processor time of one step. */
async function stepCost(secrets: readonly string[]): Promise<number> {
  const model = scripted(replies())
  const limits = { modelCalls: STEPS, contextTokens: 10_000_000, tokens: 1_000_000_000 }
  const before = process.cpuUsage()
  const { status } = await run('Look.', { model, tools: [look], limits, secrets })
  const { user, system } = process.cpuUsage(before)
  if (status !== 'answered') throw new Error(`The run ended as ${status}.`)
  return (user + system) / STEPS
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN

const rows = [0, 1, 3].map((count) => ({ count, costs: [] as number[] }))
for (let round = 0; round < ROUNDS; round++)
  for (const { count, costs } of rows) costs.push(await stepCost(KEYS.slice(0, count)))

const text = RESULT.repeat(1_000)
const masker = maskerFor(KEYS.map((value, at) => ({ name: `${at}`, value })))
const began = performance.now()
masker?.mask(text)
const perMegabyte = (performance.now() - began) / (text.length / 1e6)

console.log(
  `${STEPS} steps, results of ${RESULT.length} bytes, middle of ${ROUNDS}; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}.`,
)
console.table(
  rows.map(({ count, costs }) => ({ secrets: count, 'processor time of a step, µs': Math.round(middle(costs)) })),
)
console.log(`Three secrets are looked for in a megabyte of text in ${perMegabyte.toFixed(1)} ms.`)

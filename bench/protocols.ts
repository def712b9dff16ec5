// What reading a reply costs, by its size: shown in small pieces as it comes, then read whole. Linear means the same time for
// each kB.
//   npm run bench:protocols -- [--sizes 10,100,1000] [--rounds 3] [--piece 4]
import { cpus, loadavg } from 'node:os'
import { parseArgs } from 'node:util'
import type { Reply, ToolDefinition } from '../src/core/request.ts'
import { agentCalls } from '../src/protocol/agent-calls.ts'
import { native } from '../src/protocol/native.ts'
import type { Protocol } from '../src/protocol/protocol.ts'
import { tagged } from '../src/protocol/tagged.ts'
import { thoughtAction } from '../src/protocol/thought-action.ts'

const HELP = `Measures the time to read a reply in each protocol: in the pieces of a stream + whole, microseconds for each kB.

  npm run bench:protocols -- [options]

  --sizes A,B    sizes of the replies in kB (default 10,100,1000)
  --rounds N     rounds of each; the best one counts (default 3)
  --piece N      characters in a piece of the stream (default 4)
  --help         this text

Example: npm run bench:protocols -- --sizes 10,1000 --rounds 5`

const { values: given } = parseArgs({
  options: {
    sizes: { type: 'string', default: '10,100,1000' },
    rounds: { type: 'string', default: '3' },
    piece: { type: 'string', default: '4' },
    help: { type: 'boolean', default: false },
  },
})

const LINE = 'const total = prices.map((price) => price * 2) // "quoted", {braced}, <tagged>\\n'
const PROSE = 'The prices are read from the file first; the sum is wrong since the last one is left out.\n'
const LOOK: ToolDefinition = { name: 'look', description: 'Looks.', parameters: { type: 'object', properties: {} } }
const CALL = '{"name": "look", "arguments": {"n": 1}}'

/** `before`, then `unit` as often as it takes, then `after`. */
interface Shape {
  readonly name: string
  readonly before?: string
  readonly unit: string
  readonly after?: string
}

const long = { name: 'one call with a long text', unit: JSON.stringify(LINE).slice(1, -1) }
const unclosed = (unit: string): Shape => ({ name: `hostile: ${JSON.stringify(unit)} again and again`, unit })

const SHAPES: readonly (readonly [Protocol, readonly Shape[]])[] = [
  [
    native,
    [
      { name: 'long text', unit: PROSE },
      { name: 'long thoughts in the text', before: '<think>', unit: PROSE, after: '</think>Oslo' },
      ...['<tool_call>{', '<think>', '[TOOL_CALLS]', '</think', '```\n', '{"name":"look"', '    '].map(unclosed),
    ],
  ],
  [
    tagged,
    [
      { name: 'long thoughts and an answer', before: '<think>', unit: PROSE, after: '</think><answer>Oslo</answer>' },
      { ...long, before: '<tool_call>{"name": "look", "arguments": {"text": "', after: '"}}</tool_call>' },
      { name: 'many calls', unit: `<tool_call>${CALL}</tool_call>\n` },
      ...['<tool_call>{', '<tool_call>{}', '<tool_call>', '<tool_call>{"a', '<think>', '</think>', '<tool_respons'].map(
        unclosed,
      ),
      ...['<tool_call>{}<code>', '<answer>', '    ', '{', '<'].map(unclosed),
    ],
  ],
  [
    thoughtAction,
    [
      { name: 'long thought and an answer', before: 'Thought: ', unit: PROSE, after: '\nFinal Answer: Oslo' },
      { ...long, before: 'Action: look\nAction Input: {"text": "', after: '"}' },
      { name: 'many rounds', unit: `Thought: so\nAction: ${CALL}\n` },
      ...['```\nAction:\n', 'Observatio\n', 'Observatio', '    ', 'a Observation 1 ', 'Action: {', 'Action: look['].map(
        unclosed,
      ),
    ],
  ],
  [
    agentCalls,
    [
      { name: 'long answer', before: '{"response": "', unit: JSON.stringify(PROSE).slice(1, -1), after: '"}' },
      {
        ...long,
        before: '{"agent_calls": [{"agent": "look", "args": {"text": "',
        after: '"}}]}',
      },
      {
        name: 'many calls',
        before: '{"agent_calls": [',
        unit: '{"agent": "look", "args": {"n": 1}},',
        after: '{"agent": "look"}]}',
      },
      ...['{', '{"agent_calls": [', '{}', '"', "'", '    '].map(unclosed),
    ],
  ],
]

function textOf({ before = '', unit, after = '' }: Shape, bytes: number): string {
  const times = Math.max(1, Math.ceil((bytes - before.length - after.length) / unit.length))
  return before + unit.repeat(times) + after
}

interface Cost {
  readonly inPieces: number
  readonly whole: number
}

interface Job {
  readonly protocol: Protocol
  readonly text: string
  readonly pieces: readonly string[]
}

function readPieces({ protocol, pieces }: Job): void {
  const reader = protocol.openReader()
  for (const piece of pieces) reader.push(piece)
  reader.end()
}

function readWhole({ protocol, text }: Job): void {
  const reader = protocol.openReader()
  reader.push(text)
  reader.end()
  const reply: Reply = { text, calls: [], finish: 'stop', firstByteMs: 0, totalMs: 0 }
  protocol.parse(reply, { tools: [LOOK], freshId: (id, index) => id ?? `call_${index}` })
}

/** Microseconds of processor time, garbage collection included: other work on the machine does not count. */
function timeOf(times: number, work: () => void): number {
  const before = process.cpuUsage()
  for (let n = 0; n < times; n++) work()
  const { user, system } = process.cpuUsage(before)
  return user + system
}

/** Microseconds for each kB, the best of all rounds. Replies of each size are read so often that it is `kBInAll` together. */
function measure(protocol: Protocol, shape: Shape, { kB, kBInAll, rounds }: Amount): Cost {
  const text = textOf(shape, kB * 1_000)
  const size = Number(given.piece)
  const pieces = Array.from({ length: Math.ceil(text.length / size) }, (_, n) => text.slice(n * size, (n + 1) * size))
  const times = Math.max(1, Math.round(kBInAll / kB))
  const job = { protocol, text, pieces }
  const perKB = (work: (job: Job) => void): number =>
    Math.min(...Array.from({ length: rounds }, () => timeOf(times, () => work(job)))) / (times * (text.length / 1_000))
  return { inPieces: perKB(readPieces), whole: perKB(readWhole) }
}

interface Amount {
  readonly kB: number
  readonly kBInAll: number
  readonly rounds: number
}

const digits = (value: number): string => value.toFixed(value >= 100 ? 0 : value >= 10 ? 1 : 2)
const row = (cells: readonly string[]): void => {
  process.stdout.write(`| ${cells.join(' | ')} |\n`)
}

if (given.help) {
  process.stdout.write(`${HELP}\n`)
} else {
  const sizes = given.sizes.split(',').map(Number)
  const rounds = Number(given.rounds)
  process.stdout.write(`Node ${process.version}, ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}\n\n`)
  const heads = sizes.map((kB) => `${kB} kB, µs per kB`)
  row(['protocol', 'reply', ...heads, 'largest ÷ smallest'])
  row(['---', '---', ...heads.map(() => '---'), '---'])
  for (const [protocol, shapes] of SHAPES) {
    for (const shape of shapes) {
      measure(protocol, shape, { kB: 10, kBInAll: 200, rounds: 1 }) // warms up
      const costs = sizes.map((kB) => measure(protocol, shape, { kB, kBInAll: Math.max(...sizes), rounds }))
      const [first, last] = [costs.at(0), costs.at(-1)].map((cost) => (cost?.inPieces ?? 0) + (cost?.whole ?? 0))
      const cells = costs.map(({ inPieces, whole }) => `${digits(inPieces)} + ${digits(whole)}`)
      row([protocol.name, shape.name, ...cells, `${digits((last ?? 0) / (first || 1))}×`])
    }
  }
}

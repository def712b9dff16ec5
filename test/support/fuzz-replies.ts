import type { JsonObject } from '../../src/core/json.ts'
import type { Finish, Reply, ToolDefinition } from '../../src/core/request.ts'
import { FIXTURES } from '../../src/protocol/dialects/dialect-fixtures.contract.ts'
import { HOSTILE, OPENINGS } from './hostile.ts'
import type { Seeded } from './seeded.ts'
import { WRITINGS } from './writings.ts'

/** What the replies of the fuzzer may call. One has a single text, so that `name[input]` is a call of it. */
export const FUZZ_TOOLS: readonly ToolDefinition[] = [
  { name: 'look', description: '', parameters: { type: 'object', properties: { query: { type: 'string' } } } },
  { name: 'shop.change', description: '', parameters: { type: 'object', properties: { id: {}, to: {}, all: {} } } },
]

const KINDS: Readonly<Record<string, (seeded: Seeded) => string>> = {
  'random units': (seeded) => String.fromCharCode(...seeded.list(200, () => seeded.below(0x10000))),
  'random bytes': (seeded) => Buffer.from(seeded.list(300, () => seeded.below(256))).toString('utf8'),
  pieces: (seeded) => seeded.list(40, () => seeded.pick(PIECES)).join(''),
  transcript: (seeded) => mutate(seeded, transcript(seeded), 1 + seeded.below(4)),
  'transcript as it is': transcript,
  'calls in thoughts': (seeded) =>
    `<think>${transcript(seeded)}${seeded.pick(['</think>', '', '</think >\n', '</thinking>'])}${transcript(seeded)}`,
  hostile: (seeded) =>
    seeded.pick(OPENINGS) +
    seeded.pick(ALL_HOSTILE).repeat(1 + seeded.below(seeded.chance(0.02) ? 2_000 : 30)) +
    seeded.pick(PIECES),
  unclosed: (seeded) => {
    const text = transcript(seeded)
    return text.slice(0, seeded.below(text.length))
  },
}

const ALL_HOSTILE: readonly string[] = [...HOSTILE, ...FIXTURES.flatMap(({ hostile }) => hostile)]

const PIECES: readonly string[] = [
  ...[
    '<think>',
    '</think>',
    '<tool_call>',
    '</tool_call>',
    '<answer>',
    '</answer>',
    '<code>',
    '</code>',
    '<tool_response>',
    '<function=look>',
    '<parameter=query>',
    '</parameter>',
    '</function>',
    '<arg_key>',
    '[TOOL_CALLS]',
    '<|python_start|>[look(',
    '<|"|>',
    '```json\n',
    '```\n',
  ],
  ...[
    '{"name":"look"',
    ',"arguments":{',
    '"query":',
    '"a"',
    "'b'",
    'c',
    '1',
    'True',
    'null',
    '{',
    '}',
    '[',
    ']',
    ',',
    ':',
    '"',
    "'",
    '\\',
    '\\d',
    '\\"',
    '\\u0041',
    '"""',
  ],
  ...[
    '\nAction: ',
    '\nAction Input: ',
    '\nObservation: ',
    '\nObservation 1:',
    '\nFinal Answer: ',
    '\nThought: ',
    '\nДействие: ',
    '\n最终答案：',
    'look[',
    'look',
    'shop.change',
  ],
  ...[
    '{"agent_calls":[',
    '{"agent":"/look"',
    '"args":',
    '"response":"x"',
    '\n',
    '\r\n',
    ' ',
    'prose',
    '// ',
    '/* ',
    '*/',
    '\ufeff',
    '\ud83d',
    '\ude00',
    '\u0000',
    '“',
    '”',
    '…',
    ' ',
  ],
]

const TEXTS: readonly string[] = [
  ...[
    '',
    'x',
    "it's",
    'say "hi" now',
    '</tool_call>',
    '<tool_call>{"name":"look"}</tool_call>',
    'a\nb',
    'a\r\nb',
    'C:\\new',
    '\\d+',
    '{"a": 1}',
  ],
  ...[
    '}',
    ']',
    '\nObservation: 3',
    '\nAction: look',
    '<answer>no</answer>',
    '</think>',
    '// x',
    '"""',
    '，',
    '\ud83d\ude00',
    '\ud83d',
    "{'name': 'look'}",
  ],
]

function randomInput(seeded: Seeded): JsonObject {
  const value = () =>
    seeded.pick<JsonObject[string]>([seeded.pick(TEXTS), 1, -0.5, true, null, [1, 'b'], { k: seeded.pick(TEXTS) }])
  return Object.fromEntries(
    seeded.list(3, () => [seeded.pick(['query', 'id', 'to', 'all', 'name', 'arguments', '2', '1']), value()]),
  )
}

/** A reply as a model writes it: one to three calls, or an answer, in one of the writings or in a family's own form. */
function transcript(seeded: Seeded): string {
  const text = (seeded.chance(0.4) ? dialectText : protocolText)(seeded)
  const tail = seeded.pick([
    '',
    '',
    '\n<answer>Done.</answer>',
    '\nFinal Answer: Done.',
    '\n<tool_response>\nyes\n</tool_response>',
    '\nObservation: yes',
  ])
  return seeded.chance(0.2) ? (text + tail).replaceAll('\n', '\r\n') : text + tail
}

function dialectText(seeded: Seeded): string {
  const calls = Array.from({ length: 1 + seeded.below(3) }, () => ({
    name: seeded.pick(['look', 'shop.change']),
    input: randomInput(seeded),
  }))
  const text = seeded.pick(FIXTURES).write(calls)
  return seeded.pick(['', '', 'I look. ', '<think>I need this.</think>\n']) + loosen(seeded, text)
}

function protocolText(seeded: Seeded): string {
  const writing = seeded.pick(WRITINGS.filter(({ protocol }) => protocol.name !== 'native'))
  const names = Array.from({ length: 1 + seeded.below(writing.oneCall ? 1 : 3) }, () =>
    seeded.pick(['look', 'shop.change']),
  )
  const stringify = writing.stringify ?? JSON.stringify
  const bodies = names.map((name) => loosen(seeded, stringify(writing.body(name, randomInput(seeded)))))
  return writing.wrap(names[0] ?? '', bodies).text ?? ''
}

/** Now and then the body is written as another language would write it. */
function loosen(seeded: Seeded, body: string): string {
  if (seeded.chance(0.6)) return body
  const way = seeded.pick<(text: string) => string>([
    (text) => text.replaceAll('true', 'True').replaceAll('null', 'None'),
    (text) => text.replaceAll('"', "'"),
    (text) => text.replaceAll('}', ',}'),
    (text) => text.replace(',', ' '),
    (text) => text.replaceAll('\\n', '\n'),
    (text) => text.replaceAll('\\"', '"'),
    (text) => text.replaceAll('\\\\', '\\'),
    (text) => text.replace(':', ': /* c */ '),
    (text) => `\`\`\`json\n${text}\n\`\`\``,
    (text) => `Sure: ${text}`,
  ])
  return way(body)
}

function mutate(seeded: Seeded, text: string, times: number): string {
  let mutated = text
  for (let i = 0; i < times; i++) {
    const at = seeded.below(mutated.length + 1)
    const end = Math.min(mutated.length, at + 1 + seeded.below(seeded.chance(0.8) ? 4 : 60))
    const taken = mutated.slice(at, end)
    const put = seeded.pick([
      () => '',
      () => taken + taken,
      () => seeded.pick(PIECES),
      () => seeded.pick(PIECES) + taken,
    ])
    mutated = mutated.slice(0, at) + put() + mutated.slice(end)
  }
  return mutated
}

export interface FuzzReply extends Reply {
  readonly kind: string
}

/** The next reply of a seed. Most are texts; some also carry calls as a service sends them. */
export function fuzzReply(seeded: Seeded): FuzzReply {
  const kind = seeded.pick(Object.keys(KINDS))
  const text = KINDS[kind]?.(seeded) ?? ''
  const call = () => ({
    name: seeded.pick(['look', 'constructor', '']),
    arguments: seeded.chance(0.5) ? JSON.stringify(randomInput(seeded)) : text,
  })
  const calls = seeded.chance(0.1) ? seeded.list(3, call) : []
  const finish = seeded.chance(0.95) ? 'stop' : seeded.pick<Finish>(['length', 'broken', 'filtered', 'calls', 'other'])
  return { kind, text, calls, finish, firstByteMs: 0, totalMs: 0 }
}

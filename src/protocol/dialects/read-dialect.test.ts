import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { isJsonObject } from '../../core/json.ts'
import { readDialect } from './read-dialect.ts'

const tools = ['look', 'change', 'files.read'].map((name) => ({ name, description: name, parameters: {} }))
const read = (text: string) => readDialect(text, { tools, freshId: (given, index) => given ?? `made_${index}` })
const callsIn = (text: string): readonly (readonly [string, unknown])[] => {
  const reply = read(text)
  if (reply?.kind !== 'calls') return []
  return reply.calls.map(({ name, arguments: args, problem }) =>
    problem === undefined ? [name, JSON.parse(args)] : ['broken', null],
  )
}
const look = (input: object = {}): [string, unknown][] => [['look', input]]

const forms: readonly [string, string, readonly (readonly [string, unknown])[]][] = [
  ['fenced JSON between the marks', '<tool_call>\n```json\n{"name": "look"}\n```\n</tool_call>', look()],
  ['a function without its outer mark', '<function=look>\n</function>', look()],
  [
    'a list between the marks',
    '<tool_call>[{"name": "look"}, {"name": "change"}]</tool_call>',
    [...look(), ['change', {}]],
  ],
  [
    'Mistral with an id and a mark before the arguments',
    '[TOOL_CALLS]look[CALL_ID]abcdefghi[ARGS]{"n": 1}',
    look({ n: 1 }),
  ],
  [
    'DeepSeek with bars of ASCII',
    '<|tool_call_begin|>function<|tool_sep|>look\n```json\n{"n": 1}\n```<|tool_call_end|>',
    look({ n: 1 }),
  ],
  [
    'Harmony with the recipient before the channel',
    '<|start|>assistant to=functions.look<|channel|>commentary json<|message|>{}<|call|>',
    look(),
  ],
  ['Harmony without arguments', '<|channel|>commentary to=functions.look<|message|><|call|>', look()],
  [
    'a call a line',
    '<function_calls>\nlook(n=1)\nchange()\n</function_calls>',
    [
      ['look', { n: 1 }],
      ['change', {}],
    ],
  ],
  [
    'calls a line, as objects',
    '{"name": "look", "parameters": {}}\n{"name": "change", "parameters": {}}',
    [...look(), ['change', {}]],
  ],
  ['a dotted name', '[files.read(path="a")]', [['files.read', { path: 'a' }]]],
  [
    'literals of Python',
    "[look(a={'b', 'c'}, d=(1, 2), e=None, f={'g': True})]",
    look({ a: ['b', 'c'], d: [1, 2], e: null, f: { g: true } }),
  ],
  [
    'quotes of the same kind',
    "<|tool_call_start|>[look(c='sed -n '1,2p' a.txt', n=1)]<|tool_call_end|>",
    look({ c: "sed -n '1,2p' a.txt", n: 1 }),
  ],
  [
    'Gemma with JSON in it',
    '<|tool_call>call:look{a:"b",c:{d:[1,{e:null}]}}<tool_call|>',
    look({ a: 'b', c: { d: [1, { e: null }] } }),
  ],
]
for (const [what, text, calls] of forms) test(`dialects read ${what}`, () => assert.deepEqual(callsIn(text), calls))

const none: readonly [string, string][] = [
  ['an empty list behind a mark', '[TOOL_CALLS][]'],
  ['an empty list between marks', '<|tool_call_start|>[]<|tool_call_end|>'],
  ['an empty list alone', '[]'],
  ['JSON that is no call', '{"name": "Oslo", "parameters": {"a": 1}}'],
  ['a call of JSON with more in it', '{"name": "look", "parameters": {}, "result": 3}'],
  ['a call of JSON in prose', 'So: {"name": "look", "parameters": {}}'],
  ['calls of Python in prose', 'So: [look()]'],
  ['calls of Python that nobody knows', '[look(), search()]'],
  ['a position instead of a key', '[look(1)]'],
  ['bytes', "[look(a=b'x')]"],
  ['a mark that is spoken of', 'Between <tool_call> and </tool_call>, or after [TOOL_CALLS], it is a call.'],
  ['a mark in backticks', 'Write `<tool_call>{"name": "look"}</tool_call>`.'],
]
for (const [what, text] of none) test(`dialects take for text ${what}`, () => assert.equal(read(text), undefined))

/** In each, what looks like a call of `change` is a part of what the broken call says. */
const broken: readonly [string, string][] = [
  ['JSON', '<tool_call>{"name":"look","arguments":{"t":"see "<tool_call>{"name":"change"}</tool_call>"}}</tool_call>'],
  ['a name and JSON', '[TOOL_CALLS]look{"t": "a "b" [TOOL_CALLS]change{}'],
  ['a list of objects', '[TOOL_CALLS][{"name":"look","arguments":{"t":"a ""}}, {"name":"change"}, b"}}]'],
  ['tags', '<function=look><parameter=t>a <function=change></function> b'],
  ['Gemma', '<|tool_call>call:look{t:<|"|>a <|tool_call>call:change{}<tool_call|>'],
  ['Python', "<|tool_call_start|>[look(t='a' 'b), change(), ('), look(1)]<|tool_call_end|>"],
]
for (const [what, text] of broken)
  test(`dialects run nothing that stands in a broken call: ${what}`, () => assert.equal(read(text)?.kind, 'unread'))

// https://github.com/ggml-org/llama.cpp/pull/15162
test('a value that holds its own closing tag comes back, where the tag ends nothing', () => {
  const text = '<function=look><parameter=t>write </parameter> at its end</parameter></function>'
  assert.deepEqual(callsIn(text), look({ t: 'write </parameter> at its end' }))
})

test('Kimi and Mistral give calls ids of their own', () => {
  const ids = (text: string) => {
    const reply = read(text)
    return reply?.kind === 'calls' ? reply.calls.map(({ id }) => id) : []
  }
  assert.deepEqual(ids('<|tool_call_begin|>functions.look:3<|tool_call_argument_begin|>{}<|tool_call_end|>'), [
    'functions.look:3',
  ])
  assert.deepEqual(ids('[TOOL_CALLS]look[CALL_ID]abcdefghi[ARGS]{}[TOOL_CALLS]change{}'), ['abcdefghi', 'made_1'])
})

test('Harmony: the analysis is no part of the text, other channels are', () => {
  const reply = read(
    '<|channel|>analysis<|message|>secret<|end|><|start|>assistant<|channel|>commentary<|message|>I look.<|end|>' +
      '<|start|>assistant<|channel|>commentary to=functions.look <|constrain|>json<|message|>{}<|call|>',
  )
  assert.equal(reply?.kind === 'calls' && reply.text, 'I look.')
})

test('with no tools, nothing is a call', () => {
  const context = { tools: [], freshId: () => 'a' }
  assert.equal(readDialect('<tool_call>{"name": "look"}</tool_call>', context), undefined)
})

test('whatever the pieces, a call that is read has a name and an object', () => {
  const marks = [
    '<tool_call>',
    '</tool_call>',
    '<function=look>',
    '<parameter=a>',
    '</parameter>',
    '</function>',
    '[TOOL_CALLS]',
  ]
  const more = [
    'look',
    '{"name":"look"',
    ',"arguments":{',
    '}',
    '[',
    ']',
    '"',
    "'",
    '(',
    ')',
    'a=',
    '<think>',
    '</think>',
    '```',
    '\n',
  ]
  const own = [
    '<|tool_call>call:look{',
    '<tool_call|>',
    '<|"|>',
    '<|channel|>commentary to=functions.look<|message|>',
    '<|call|>',
  ]
  const text = fc.array(fc.constantFrom(...marks, ...more, ...own, 'x', '\ud800'), { maxLength: 24 })
  fc.assert(
    fc.property(text, (pieces) => {
      const reply = read(pieces.join(''))
      if (reply?.kind !== 'calls') return
      for (const { name, arguments: args, problem } of reply.calls)
        assert.ok(name !== '' && (problem !== undefined || isJsonObject(JSON.parse(args))))
    }),
    { numRuns: 1_000 },
  )
})

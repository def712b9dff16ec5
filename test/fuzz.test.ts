import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentCalls } from '../src/protocol/agent-calls.ts'
import { parseWith } from './support/bfcl-check.ts'
import { fuzz } from './support/fuzz.ts'
import { FUZZ_TOOLS } from './support/fuzz-replies.ts'
import { HOSTILE, OPENINGS } from './support/hostile.ts'
import { isFindable } from './support/strict-reader.ts'
import { WRITINGS } from './support/writings.ts'

test('no reply makes a protocol throw, or run a call that a second reader does not find', () => {
  const { faults, counts } = fuzz({ replies: 9_000, seed: 1 })
  assert.deepEqual(faults.slice(0, 3), [])
  for (const protocol of ['native', 'tagged', 'thought-action', 'agent-calls'])
    assert.ok((counts.get(`${protocol}: calls that would run`) ?? 0) > 50, protocol)
  for (const rung of ['cut', 'json5', 'repair']) assert.ok(counts.has(`rung ${rung}`), rung)
})

const LOOK = '<tool_call>{"name":"look"}</tool_call>'

/** What the fuzzer found, as small as it gets: a reply, and how many of its calls may run. */
const FOUND: readonly [what: string, protocol: string, text: string, runs: number][] = [
  [
    'thoughts that end behind a call whose first sibling is broken',
    'tagged',
    `<tool_call>{"a</tool_call>${LOOK}</think>`,
    0,
  ],
  ['thoughts that end in a broken call', 'tagged', `${LOOK}<tool_call>{"</think>": </tool_call>`, 0],
  ['thoughts that end in a text of a readable call', 'tagged', `${LOOK}<tool_call>{"name":"</think>"}</tool_call>`, 2],
  [
    'thoughts that end in a broken call',
    'native',
    `${LOOK}<tool_call>{"name":"look","arguments":{k:'<tool_call>'}}</think>`,
    0,
  ],
  [
    'thoughts that end in a call which is a thought',
    'native',
    `${LOOK}<think><tool_call>{"name":"look","arguments":{"a":"</think>"}}</tool_call> x`,
    0,
  ],
  ['thoughts that end in a text of a readable call', 'native', `${LOOK}<tool_call>{"name":"</think>"}</tool_call>`, 2],
  ['a line break of two characters in a text', 'thought-action', 'Action: look\n{"query": "a\r\nb"}', 1],
  [
    'thoughts that end behind an invented result',
    'native',
    `${LOOK}<tool_response>${LOOK.replace('look', '</think>')}`,
    1,
  ],
  ['a name with quotes', 'native', `<tool_call>{name:'shop."ge"query":'}</tool_call>`, 1],
  ['an escape of Python', 'native', '<|python_start|>[look(query="a\\ab")]<|python_end|>', 1],
  ['a line that goes on, in Python', 'native', `<|tool_call_start|>[look(to="C:\\\new")]<|tool_call_end|>`, 1],
]
for (const [what, protocol, text, runs] of FOUND)
  test(`found by the fuzzer, ${protocol}: ${what}`, () => {
    const writing = WRITINGS.find((each) => each.protocol.name === protocol)
    assert.ok(writing !== undefined)
    const reply = { ...REPLY, text }
    const parsed = parseWith(writing, reply, FUZZ_TOOLS)
    const calls = parsed.kind === 'calls' ? parsed.calls.filter(({ problem }) => problem === undefined) : []
    assert.equal(calls.length, runs)
    for (const call of calls) assert.ok(isFindable(protocol, reply, call, calls), 'the second reader finds it too')
  })

const REPLY = { text: '', calls: [], finish: 'stop', firstByteMs: 0, totalMs: 0 } as const

test('one piece written thousands of times is read to its end, whatever stands before it', () => {
  const protocols = WRITINGS.filter(({ protocol }, i) => WRITINGS.findIndex((each) => each.protocol === protocol) === i)
  for (const writing of protocols)
    for (const opening of OPENINGS)
      for (const piece of HOSTILE) {
        const text = opening + piece.repeat(8_000 / piece.length)
        const parsed = parseWith(writing, { text }, FUZZ_TOOLS)
        if (parsed.kind === 'calls') assert.ok(parsed.calls.length <= 1_000, `${opening}${piece}`)
      }
})

test('the second reader finds what is there and nothing else', () => {
  const reply = {
    text: '{"agent_calls": [{"agent": "look", "args": {"n": 1}}]}',
    calls: [],
    finish: 'stop',
    firstByteMs: 0,
    totalMs: 0,
  } as const
  const call = { id: 'a', name: 'look', arguments: '{"n":1}' }
  assert.equal(isFindable(agentCalls.name, reply, call), true)
  assert.equal(isFindable(agentCalls.name, reply, { ...call, arguments: '{"n":2}' }), false)
  assert.equal(isFindable(agentCalls.name, reply, { ...call, name: 'change' }), false)
  assert.equal(isFindable(agentCalls.name, { ...reply, finish: 'length' }, call), false)
  assert.equal(isFindable('tagged', { ...reply, text: `<think>${reply.text}` }, call), false)
})

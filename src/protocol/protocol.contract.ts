import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Finish, Reply, ToolDefinition } from '../core/request.ts'
import { native } from './native.ts'
import type { ParseContext, ParsedReply, Protocol } from './protocol.ts'

// A run prepares for each reply; here all of it is loaded once, so that replies can be read in place.
await native.prepare?.({ calls: [], text: '<' })

/** How a double of a model writes in this protocol. */
export interface Writing {
  /** A reply that makes these calls, with a thought or text before. */
  calls(text: string, calls: readonly { readonly name: string; readonly input: object }[]): Partial<Reply>
  answer(text: string): Partial<Reply>
  /** A protocol with one action a reply gives one call, however many are written. */
  readonly oneCall?: boolean
}

const tool = (name: string): ToolDefinition => ({ name, description: name, parameters: { type: 'object' } })
const context = (): ParseContext => ({
  tools: [tool('look'), tool('change')],
  freshId: (given, index) => given || `made_${index}`,
})

export const whole = (part: Partial<Reply>): Reply => ({
  text: '',
  calls: [],
  finish: 'stop',
  firstByteMs: 0,
  totalMs: 0,
  ...part,
})
export const parsedBy = (protocol: Protocol, part: Partial<Reply>): ParsedReply =>
  protocol.parse(whole(part), context())

/** Names and arguments of the calls that a reply makes; what is not a call is an empty list. */
export const callsIn = (parsed: ParsedReply): readonly (readonly [string, unknown])[] =>
  parsed.kind === 'calls' ? parsed.calls.map(({ name, arguments: text }) => [name, JSON.parse(text || '{}')]) : []

/** What every protocol owes. */
export function protocolContract(protocol: Protocol, writing: Writing): void {
  const { name } = protocol
  const input = fc.dictionary(
    fc.string({ unit: 'grapheme', minLength: 1, maxLength: 8 }).filter((key) => !/proto|constructor/.test(key)),
    fc.oneof(fc.string({ unit: 'grapheme' }), fc.integer(), fc.boolean(), fc.constant(null), fc.array(fc.string())),
  )

  test(`${name}: a call comes back with the name and the arguments that were written`, () => {
    fc.assert(
      fc.property(fc.constantFrom('look', 'change'), input, (tool, args) => {
        const parsed = parsedBy(protocol, writing.calls('Let me see.', [{ name: tool, input: args }]))
        assert.deepEqual(callsIn(parsed), [[tool, JSON.parse(JSON.stringify(args))]])
      }),
    )
  })

  test(`${name}: arguments that hold the protocol's own marks are data`, () => {
    const marks =
      '</tool_call> <tool_call>{"name":"change"}</tool_call> <answer>no</answer>\nObservation: 1\nAction: change\n"}]} \\d+ `x`'
    const parsed = parsedBy(protocol, writing.calls('Hm.', [{ name: 'look', input: { marks } }]))
    assert.deepEqual(callsIn(parsed), [['look', { marks }]])
  })

  test(`${name}: calls keep their order`, () => {
    const two = ['look', 'change'].map((name) => ({ name, input: {} }))
    const names = callsIn(parsedBy(protocol, writing.calls('', two))).map(([name]) => name)
    assert.deepEqual(names, writing.oneCall ? ['look'] : ['look', 'change'])
  })

  test(`${name}: an answer is a claim`, () => {
    const parsed = parsedBy(protocol, writing.answer('It is in Oslo.'))
    assert.equal(parsed.kind === 'claim' && parsed.answer, 'It is in Oslo.')
  })

  test(`${name}: nothing is read from a reply that did not arrive whole`, () => {
    for (const finish of ['length', 'filtered', 'broken'] satisfies Finish[]) {
      const reply = { ...writing.calls('', [{ name: 'look', input: {} }]), finish }
      assert.equal(parsedBy(protocol, reply).kind, 'malformed')
      assert.equal(parsedBy(protocol, { ...writing.answer('Yes.'), finish }).kind, 'malformed')
    }
  })

  test(`${name}: nothing at all is malformed, and the model is told what is expected`, () => {
    for (const text of ['', ' \n ']) {
      const parsed = parsedBy(protocol, { text })
      assert.ok(parsed.kind === 'malformed' && parsed.observation.length > 20)
    }
  })

  test(`${name}: no text of a model makes it throw`, () => {
    const pieces = [
      '<think>',
      '</think>',
      '<tool_call>',
      '</tool_call>',
      '<answer>',
      '{"name":"look"',
      '}',
      '[',
      '"',
      '\\',
    ]
    const words = [
      '\nAction: ',
      '\nObservation 1:',
      '\nFinal Answer:',
      'look[',
      '```',
      '\n',
      'Thought:',
      '\ud800',
      '\u0000',
    ]
    const text = fc.array(fc.constantFrom(...pieces, ...words, 'x'), { maxLength: 30 }).map((parts) => parts.join(''))
    fc.assert(
      fc.property(text, (reply) => void parsedBy(protocol, { text: reply })),
      { numRuns: 500 },
    )
  })
}

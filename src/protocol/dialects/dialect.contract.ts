import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Json, JsonObject } from '../../core/json.ts'
import { native } from '../native.ts'
import { callsOf, type DialectFixture, parse, type Written } from './dialect-fixture.contract.ts'

const TEXTS: readonly string[] = [
  'a ] b } c ) d',
  '</a> <b> & &lt; </parameter> x </tool_call',
  `it's "quoted" and 'quoted'`,
  `sed -n '1,2p' x.txt | grep "a b"`,
  'first\nsecond\r\nthird\t.',
  'nul \u0000 and \u0007',
  String.raw`C:\Users\new\table \d+ \\server`,
  '[link](https://example.com/?a=1&b=2) **bold** `code`',
  '👩‍🚀 e\u0301 工具',
  'no-break\u00a0and\u3000wide',
  '<think>not a thought</think>',
  '{"name": "change", "arguments": {}}',
  '42',
  'null',
  '[1]',
]

function shownOf(pieces: readonly string[]): string {
  const reader = native.openReader()
  return [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()].map(({ text }) => text).join('')
}

const CHANGE: Written = { name: 'change', input: { text: 'b' } }

export function dialectContract(fixture: DialectFixture): void {
  const { name, write } = fixture
  const it = (promise: string, check: () => void) => test(`${name}: ${promise}`, check)
  const look = (input: JsonObject = {}): string => write([{ name: 'look', input }])

  it('calls are read, and it is said how they were written', () => {
    const parsed = parse(write([{ name: 'look', input: { text: 'a' } }, CHANGE]))
    assert.equal(parsed.kind === 'calls' && parsed.dialect, name)
    assert.equal(parsed.text, '')
    assert.deepEqual(callsOf(write([{ name: 'look', input: { text: 'a' } }, CHANGE])), [
      ['look', { text: 'a' }],
      ['change', { text: 'b' }],
    ])
  })

  it('what is written comes back', () => {
    const value = fixture.untyped
      ? fc.string({ unit: 'grapheme' })
      : fc.oneof(fc.string({ unit: 'grapheme' }), fc.boolean(), fc.constant(null), fc.array(fc.integer()))
    const input = fc.dictionary(fc.stringMatching(/^[a-z]{1,8}$/), value, { noNullPrototype: true })
    fc.assert(
      fc.property(input, (given) => {
        const parsed = parse(look(given))
        assert.deepEqual(parsed.kind === 'calls' && parsed.calls.map((call) => JSON.parse(call.arguments)), [given])
      }),
    )
  })

  it('braces and marks in prose are text; around a call they do no harm', () => {
    const prose = 'Use {braces} like {"a":1} and [lists].'
    assert.deepEqual(parse(prose), { kind: 'claim', text: prose, answer: prose })
    const parsed = parse(`${prose}\n${look()}\n\n`)
    if (fixture.bare) assert.equal(parsed.kind, 'claim')
    else assert.equal(parsed.kind === 'calls' && parsed.text, prose)
  })

  it('a call that lacks only its closing mark is a call; no other beginning of one is', () => {
    const text = look({ text: 'abc {d} e' })
    assert.ok(text.endsWith(fixture.closing))
    assert.equal(callsOf(text.slice(0, text.length - fixture.closing.length)).length, 1)
    for (let length = 0; length < text.length; length++) {
      const calls = callsOf(text.slice(0, length)).filter(([called]) => called !== 'broken')
      if (calls.length > 0) assert.deepEqual(calls, [['look', { text: 'abc {d} e' }]], text.slice(0, length))
    }
  })

  it('no arguments, in every way of writing none', () => {
    for (const text of fixture.empty) assert.deepEqual(callsOf(text), [['look', {}]], text)
  })

  // https://github.com/anthropics/claude-code/issues/61375
  // https://github.com/anthropics/claude-code/issues/59787
  it('texts come back to the letter, whatever stands in them', () => {
    for (const text of TEXTS) assert.deepEqual(callsOf(look({ text })), [['look', { text }]], text)
  })

  formContract(fixture, look)
  if (!fixture.bare) markedContract(fixture, look())
  if (fixture.untyped) untypedContract(fixture)
  if (fixture.object !== undefined) objectContract(name, fixture.object)
}

function formContract(fixture: DialectFixture, look: (input?: JsonObject) => string): void {
  const { name, write } = fixture
  const it = (promise: string, check: () => void) => test(`${name}: ${promise}`, check)

  it('arguments that are wrapped once more are unwrapped', () => {
    assert.deepEqual(callsOf(look({ arguments: fixture.untyped ? '{"n": 1}' : { n: 1 } })), [['look', { n: 1 }]])
  })

  it('numbers are what was written, or no numbers', () => {
    assert.deepEqual(callsOf(fixture.literal('-12')), [['look', { n: -12 }]])
    assert.deepEqual(callsOf(fixture.literal('2e3')), [['look', { n: 2000 }]])
    for (const literal of ['1e999', '-1e999', '123456789012345678901']) {
      const parsed = parse(fixture.literal(literal))
      for (const [, input] of callsOf(fixture.literal(literal))) assert.deepEqual(input, { n: literal })
      assert.ok(!JSON.stringify(parsed).includes('Infinity'))
    }
  })

  it('a name that begins another, and a name that nobody knows, stay what they are', () => {
    for (const each of ['get', 'get_weather', 'get_weather_now'])
      assert.deepEqual(callsOf(write([{ name: each, input: {} }])), [[each, {}]])
    const unknown = callsOf(write([{ name: 'constructor', input: { text: 'a' } }]))
    assert.deepEqual(unknown, fixture.bare ? [] : [['constructor', { text: 'a' }]])
  })

  // https://github.com/guoqingbao/xinfer/issues/221
  it('calls in thoughts are thoughts', () => {
    for (const text of [`<think>${look()}</think>No.`, `I could\n${look()}\n</think>\n<think>no</think >No.`]) {
      const parsed = parse(text)
      assert.equal(parsed.kind === 'claim' && parsed.text, text)
    }
    assert.deepEqual(callsOf(`<think>hm</think>\n${look()}`), [['look', {}]])
    assert.equal(parse('<think>hm</think>\n').kind, 'malformed')
    assert.equal(callsOf(`<think>hm\n${look()}`).length, fixture.bare ? 0 : 1)
    assert.deepEqual(callsOf(`<think>hm\n${look()} or not`), [])
  })

  it('two calls of one tool are two calls with ids of their own', () => {
    const parsed = parse(write([CHANGE, CHANGE]))
    assert.ok(parsed.kind === 'calls')
    assert.equal(new Set(parsed.calls.map(({ id }) => id)).size, 2)
    assert.ok(parsed.calls.every(({ repeatOf }) => repeatOf === undefined))
  })

  it('however its text is cut while it comes, the same is shown', () => {
    const text = `I look.\n${look({ text: 'a' })}\n<tool_response>made up</tool_response>`
    const whole = shownOf([text])
    assert.deepEqual(shownOf(text.split('')), whole)
    for (let at = 0; at <= text.length; at++) assert.deepEqual(shownOf([text.slice(0, at), text.slice(at)]), whole)
    if (!fixture.bare) assert.doesNotMatch(whole, /made up/)
  })

  it('hostile nesting ends, and is no call', () => {
    for (const piece of fixture.hostile) assert.deepEqual(callsOf(piece.repeat(200_000 / piece.length)), [], piece)
  })
}

function markedContract({ name, write, siblings }: DialectFixture, look: string): void {
  test(`${name}: what stands before, between and behind calls is kept without the blanks around it`, () => {
    const change = write([{ name: 'change', input: {} }])
    const parsed = parse(`Before.\n${look}\n\n  Between. \n${change}\nBehind.\n`)
    assert.equal(parsed.kind === 'calls' && parsed.calls.length, 2)
    assert.equal(parsed.text, 'Before.\nBetween.\nBehind.')
  })

  test(`${name}: a call in fenced code is an example`, () => {
    const text = `Write it so:\n\`\`\`\n${look}\n\`\`\`\n`
    assert.deepEqual(parse(text), { kind: 'claim', text, answer: text.trim() })
  })

  // https://github.com/kdeps/kdeps/pull/806
  test(`${name}: a result that the model invents is cut off, with the calls behind it`, () => {
    const parsed = parse(`${look}\n<tool_response>{"ok":true}</tool_response>\n${look}\nDone.`)
    assert.equal(parsed.kind === 'calls' && parsed.calls.length, 1)
    assert.equal(parsed.text, '')
    const written = (parsed.kind === 'calls' && parsed.written) || ''
    assert.doesNotMatch(written, /"ok"|Done/)
    assert.deepEqual(parse(written), parsed, 'what is kept is read again as the whole was')
  })

  // https://github.com/vllm-project/vllm/issues/39771
  test(`${name}: a broken call keeps its place between its siblings; alone it is none, and the model is told`, () => {
    assert.ok(siblings !== undefined)
    const calls = callsOf(siblings)
    assert.deepEqual(
      calls.map(([each]) => each),
      ['look', 'broken', 'change'],
    )
  })
}

function untypedContract({ name, write, literal }: DialectFixture): void {
  const table: readonly [string, string, Json][] = [
    ['flag', 'TRUE', true],
    ['flag', 'False', false],
    ['n', '007', 7],
    ['n', '2026-01-15', '2026-01-15'],
    ['text', '42', '42'],
    ['list', '["a", 1]', ['a', 1]],
    ['list', "[True, 'a', None]", [true, 'a', null]],
    ['list', "[true, 'a']", [true, 'a']],
    ['other', '5', '5'],
  ]
  test(`${name}: values without a type are read as the schema says, or stay as they are`, () => {
    for (const [key, text, value] of table)
      assert.deepEqual(callsOf(write([{ name: 'look', input: { [key]: text } }])), [['look', { [key]: value }]], text)
    assert.deepEqual(callsOf(literal('-007')), [['look', { n: -7 }]])
  })

  // https://github.com/vllm-project/vllm/issues/48753
  test(`${name}: one line break at either end belongs to the tags, every other to the value`, () => {
    const text = '\n    if x:\n        return 1\n\n'
    assert.deepEqual(callsOf(write([{ name: 'look', input: { text } }])), [['look', { text }]])
  })

  // https://github.com/RooCodeInc/Roo-Code/issues/4426
  test(`${name}: whole calls in a value are a part of it; with half a call it is not certain, and nothing of it runs`, () => {
    const inner = write([{ name: 'change', input: { text: 'x' } }])
    for (const text of [inner, `${inner}\n${inner}`])
      assert.deepEqual(callsOf(write([{ name: 'look', input: { text } }])), [['look', { text }]])
    const half = inner.slice(0, inner.indexOf('\nx\n') + 1)
    assert.equal(parse(write([{ name: 'look', input: { text: half } }])).kind, 'malformed')
  })
}

function objectContract(name: string, object: (text: string) => string): void {
  const table: readonly [string, readonly (readonly [string, Json])[]][] = [
    ['{"name": "look", "arguments": "{\\"n\\": 1}"}', [['look', { n: 1 }]]],
    ['{"parameters": {"name": "x"}, "name": "look"}', [['look', { name: 'x' }]]],
    ['{"arguments": {"n": 1}, "name": "look"}', [['look', { n: 1 }]]],
    ['{"name": "look", "arguments": "word"}', []],
    ['{"name": "look", "arguments": {"n": 1}, "name": "change"}', []],
    ['{"a": 1}', []],
  ]
  test(`${name}: arguments under another word, in any order, or as the text of an object`, () => {
    for (const [text, calls] of table) assert.deepEqual(callsOf(object(text)), calls, text)
  })
}

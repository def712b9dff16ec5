import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import type { Delta } from '../core/request.ts'
import { parsedBy } from './protocol.contract.ts'
import type { ParsedReply, Protocol } from './protocol.ts'

/** A reply, what of it is shown of each kind, and how much of it counts when that is not all. */
export interface Fixture {
  readonly what: string
  readonly text: string
  readonly shown: Shown
  readonly kept?: string
}

type Shown = Readonly<Partial<Record<Delta['kind'], string>>>

interface Heard {
  readonly shown: Shown
  readonly text: string
  readonly stopped: boolean
  readonly parsed: ParsedReply
}

/** What comes of a reply in these pieces. */
function hear(protocol: Protocol, pieces: readonly string[]): Heard {
  const reader = protocol.openReader()
  const deltas = [...pieces.flatMap((piece) => reader.push(piece)), ...reader.end()]
  const shown: Partial<Record<Delta['kind'], string>> = {}
  for (const { kind, text } of deltas) shown[kind] = (shown[kind] ?? '') + text
  const { text, stopped } = reader
  return { shown, text, stopped, parsed: parsedBy(protocol, { text }) }
}

const cutAt = (text: string, cuts: readonly number[]): string[] => {
  const ends = [0, ...[...cuts].sort((a, b) => a - b), text.length]
  return ends.slice(1).map((end, at) => text.slice(ends[at], end))
}

/** Wherever a text is cut, in pairs and marks too, the same comes of it. */
function assertSameInPieces(protocol: Protocol, text: string): void {
  const whole = hear(protocol, [text])
  assert.deepEqual(whole.parsed, parsedBy(protocol, { text }), 'the text that counts is read as the whole reply is')
  for (let at = 0; at <= text.length; at++) assert.deepEqual(hear(protocol, cutAt(text, [at])), whole)
  assert.deepEqual(hear(protocol, text.split('')), whole)
  const cuts = fc.array(fc.nat({ max: text.length }), { maxLength: 12 })
  fc.assert(
    fc.property(cuts, (at) => assert.deepEqual(hear(protocol, cutAt(text, at)), whole)),
    { numRuns: 40 },
  )
}

/** Every reader owes this. `words`: marks of the protocol and pieces of them, from which replies are put together. */
export function readerContract(protocol: Protocol, fixtures: readonly Fixture[], words: readonly string[]): void {
  const { name } = protocol

  for (const { what, text, shown, kept = text } of fixtures)
    test(`${name}, streamed: ${what}`, () => {
      const heard = hear(protocol, [text])
      assert.deepEqual([heard.shown, heard.text], [shown, kept])
      for (const each of [text, text.replaceAll('\n', '\r\n')]) assertSameInPieces(protocol, each)
    })

  const reply = fc
    .array(fc.oneof(fc.constantFrom(...words), fc.constantFrom('\n', ' ', 'x', '{', '}', '"', '😀', '\ud83d')), {
      maxLength: 24,
    })
    .map((parts) => parts.join(''))

  test(`${name}: however any reply is cut, the same is shown, kept and read`, () => {
    fc.assert(
      fc.property(reply, fc.array(fc.nat({ max: 200 }), { maxLength: 12 }), (text, cuts) => {
        const whole = hear(protocol, [text])
        const inside = cuts.filter((at) => at <= text.length)
        assert.deepEqual(hear(protocol, cutAt(text, inside)), whole)
        assert.deepEqual(hear(protocol, text.split('')), whole)
        assert.deepEqual(parsedBy(protocol, { text }), whole.parsed)
      }),
      { numRuns: 400 },
    )
  })

  test(`${name}: what is shown as the answer is the answer, and nothing is where there is none`, () => {
    // Pieces of markers may end a reply one behind the other: all but the last were shown when they turn out to be leaks.
    fc.assert(
      fc.property(reply, (text) => {
        const { parsed, shown, text: kept } = hear(protocol, [text])
        const said = name === 'native' ? shown.text : shown.answer
        if (parsed.kind === 'claim' && kept === text) assert.equal(said, parsed.answer)
        if (parsed.kind === 'claim') assert.ok(said?.startsWith(parsed.answer))
        if (parsed.kind === 'malformed' && kept === text) assert.equal(said, undefined)
      }),
      { numRuns: 400 },
    )
  })

  test(`${name}: no piece that is shown ends or begins within a character`, () => {
    const reader = protocol.openReader()
    const text = fixtures.map((fixture) => fixture.text.replaceAll('e', '😀')).join('\n')
    for (const { text: piece } of [...text.split('').flatMap((unit) => reader.push(unit)), ...reader.end()])
      assert.ok(piece.isWellFormed(), JSON.stringify(piece))
  })
}

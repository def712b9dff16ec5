import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { JsonObject } from '../core/json.ts'
import type { RawCall } from '../core/request.ts'
import { CallAssembly } from './call-assembly.ts'

/** A piece of a call, short: index, id, name, arguments. */
type Piece = readonly [index?: number | undefined, id?: string | undefined, name?: string | undefined, args?: string]

function assemble(...pieces: readonly Piece[]): readonly RawCall[] {
  const assembly = new CallAssembly()
  for (const piece of pieces) assembly.add(deltaOf(piece))
  return assembly.calls()
}

function deltaOf([index, id, name, args]: Piece): JsonObject {
  const wanted = { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) }
  return { ...(index === undefined ? {} : { index }), ...(id === undefined ? {} : { id }), function: wanted }
}

const call = (id: string | undefined, name: string, args: string): RawCall => ({
  ...(id === undefined ? {} : { id }),
  name,
  arguments: args,
})

test('pieces with an index join the call of that index, also when they come in turns', () => {
  assert.deepEqual(
    assemble(
      [0, 'a', 'f', ''],
      [1, 'b', 'g', ''],
      [0, undefined, undefined, '{"x"'],
      [1, undefined, undefined, '{}'],
      [0, undefined, undefined, ':1}'],
    ),
    [call('a', 'f', '{"x":1}'), call('b', 'g', '{}')],
  )
})

// https://github.com/apache/maka/issues/1976
test('another id begins another call although the index is the same', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{"p":"a"}'], [0, 'b', 'f', '{"p":"b"}']), [
    call('a', 'f', '{"p":"a"}'),
    call('b', 'f', '{"p":"b"}'),
  ])
})

// https://github.com/vercel/ai/issues/18440
test('without ids, a name after a complete call begins another one', () => {
  assert.deepEqual(
    assemble([0, undefined, 'f', '{"n":1}'], [0, undefined, 'f', '{"n":2}'], [0, undefined, 'g', '{}']),
    [call(undefined, 'f', '{"n":1}'), call(undefined, 'f', '{"n":2}'), call(undefined, 'g', '{}')],
  )
})

// https://github.com/continuedev/continue/issues/13225
test('without an index, a new id begins a call and anything else continues the last one', () => {
  assert.deepEqual(
    assemble(
      [undefined, 'a', 'f', '{"n"'],
      [undefined, undefined, undefined, ':1}'],
      [undefined, 'b', 'f', ''],
      [undefined, ' ', undefined, '{}'],
    ),
    [call('a', 'f', '{"n":1}'), call('b', 'f', '{}')],
  )
})

test('a name that comes again with every piece does not begin another call', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{"n"'], [0, 'a', 'f', ':'], [0, 'a', 'f', '1}']), [
    call('a', 'f', '{"n":1}'),
  ])
  assert.deepEqual(assemble([0, undefined, 'f', '{"n"'], [0, undefined, 'f', ':1}']), [call(undefined, 'f', '{"n":1}')])
})

test('an id made anew for every piece does not split a call', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{"n"'], [0, 'b', undefined, ':1}']), [call('a', 'f', '{"n":1}')])
})

// https://github.com/agno-agi/agno/pull/8880
test('a tail under an index never seen belongs to the call opened last', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{}'], [0, 'b', 'g', ''], [1, undefined, undefined, '{"x":1}']), [
    call('a', 'f', '{}'),
    call('b', 'g', '{"x":1}'),
  ])
})

// https://github.com/pipecat-ai/pipecat/issues/4987
test('indexes may begin at 1, and nothing is made up for the missing one', () => {
  assert.deepEqual(assemble([1, 'a', 'f', '{}'], [3, 'b', 'g', '{}']), [call('a', 'f', '{}'), call('b', 'g', '{}')])
  assert.deepEqual(assemble([0, 'a', '', '']), [])
})

// https://github.com/anthropics/anthropic-sdk-csharp/issues/53
test('everything so far sent again with each piece is taken once', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{"n"'], [0, 'a', 'f', '{"n":1'], [0, 'a', 'f', '{"n":12}']), [
    call('a', 'f', '{"n":12}'),
  ])
  assert.deepEqual(assemble([0, 'a', 'f', '{"n":1}'], [0, 'a', 'f', '{"n":1}']), [call('a', 'f', '{"n":1}')])
  const [one, two] = [
    [0, 'a', 'f', '{}'],
    [1, 'b', 'g', '{}'],
  ] as const
  assert.deepEqual(assemble(one, one, two, one, two, [2, 'c', 'f', '{}']), [
    call('a', 'f', '{}'),
    call('b', 'g', '{}'),
    call('c', 'f', '{}'),
  ])
})

test('a piece that only looks like a repetition is kept', () => {
  assert.deepEqual(assemble([0, 'a', 'f', '{"n":'], [0, undefined, undefined, '{"n":1}}']), [
    call('a', 'f', '{"n":{"n":1}}'),
  ])
  assert.deepEqual(assemble([0, 'a', 'f', '"a'], [0, undefined, undefined, 'a"']), [call('a', 'f', '"aa"')])
})

// https://github.com/vllm-project/vllm/issues/10395
test('a tail sent twice is dropped, a missing one is not made up', () => {
  assert.deepEqual(
    assemble([0, 'a', 'f', '{"n":"x'], [0, undefined, undefined, '"}'], [0, undefined, undefined, '"}']),
    [call('a', 'f', '{"n":"x"}')],
  )
  assert.deepEqual(assemble([0, 'a', 'f', '{"n":'], [0, undefined, undefined, '"x']), [call('a', 'f', '{"n":"x')])
})

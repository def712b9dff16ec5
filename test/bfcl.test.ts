import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { findProblems } from '../src/tools/arguments.ts'
import { readBfclSample } from './support/bfcl.ts'
import { countMutations, countSurvivors, MUTATIONS, parseWith, renderMutations } from './support/bfcl-check.ts'
import { WRITINGS } from './support/writings.ts'

const CASES = readBfclSample()
const CALLS = CASES.flatMap(({ calls = [], tools }) =>
  calls.map((call) => ({ call, tool: tools.find(({ name }) => name === call.name) })),
)

test('the sample has cases of every part, dotted names, Chinese questions, several calls at once, and cases without a call', () => {
  assert.equal(new Set(CASES.map(({ part }) => part)).size, 13)
  assert.equal(CALLS.length, 431)
  assert.ok(CALLS.filter(({ call }) => call.name.includes('.')).length >= 50)
  assert.ok(CASES.filter(({ question }) => /\p{Script=Han}/u.test(question)).length >= 20)
  assert.ok(CASES.filter(({ calls = [] }) => calls.length > 1).length >= 50)
  assert.ok(CASES.filter(({ calls }) => calls === undefined).length >= 50)
})

for (const writing of WRITINGS)
  test(`every reference call comes back as it was written: ${writing.name}`, () => {
    for (const each of CASES) assert.equal(countSurvivors(each, writing), each.calls?.length ?? 0, each.id)
  })

test('of the reference answers those are refused that do not fit the schema they come with', () => {
  const refused = CALLS.filter(
    ({ call, tool }) => tool !== undefined && findProblems(tool.parameters, call.input).length > 0,
  )
  assert.equal(CALLS.filter(({ tool }) => tool === undefined).length, 0)
  assert.equal(refused.length, 15)
})

test('prose is no call, whatever tools there are', () => {
  for (const writing of WRITINGS)
    for (const { id, question, tools } of CASES)
      assert.notEqual(parseWith(writing, { text: question }, tools).kind, 'calls', `${writing.name}: ${id}`)
})

test('a spoiled call is run as it was meant or answered with what is wrong, as docs/protocols.md counts', async () => {
  const table = await countMutations(CASES)
  assert.equal(table.size, MUTATIONS.length * 4)
  for (const [what, counts] of table) assert.equal(counts['wrong call'], 0, what)
  const page = readFileSync(join(import.meta.dirname, '../docs/protocols.md'), 'utf8')
  assert.ok(page.includes(renderMutations(table)), 'npm run bench:bfcl -- --mutations')
})

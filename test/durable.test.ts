import assert from 'node:assert/strict'
import { before, test } from 'node:test'
import { EXAMPLES, exampleFaults, liveExample } from './durable/examples.ts'
import { type Course, faultsOf, liveThrough, unknownCalls } from './durable/kills.ts'
import type { KillPoint } from './durable/lives.ts'

/*
 * A run with parallel calls, an approval, a rejected claim and four effects. Its process is killed with SIGKILL and another one
 * goes on: nothing is lost, no effect is repeated. `npm run bench:kills` does the same at every place, hundreds of times.
 */

const EFFECTS = 4
let whole: Course

before(async () => {
  whole = await liveThrough([])
  assert.deepEqual(whole.done, { 'pay-1': 1, 'post-1': 1, 'mark-1': 1, 'mark-2': 1 })
  assert.deepEqual([...unknownCalls(whole)], [])
})

async function expectSame(points: readonly KillPoint[]): Promise<Course> {
  const course = await liveThrough(points)
  assert.deepEqual(faultsOf(course, whole), [], points.join(' '))
  return course
}

/** How many commits a run has depends a little on how busy the machine is, so its last one may not come. */
async function killAtEach(points: readonly KillPoint[]): Promise<void> {
  let kills = 0
  for (const point of points) kills += (await expectSame([point])).kills
  assert.ok(kills >= points.length - 1, `${kills} of ${points.length} kills`)
}

const places = (first: number): number[] =>
  Array.from({ length: Math.ceil(whole.commits / 2) }, (_, i) => first + 2 * i).filter((at) => at <= whole.commits)

test('killed before a commit, a run goes on from the one before', () =>
  killAtEach(places(1).map((at) => `before:${at}` as const)))

test('killed after a commit, a run goes on from there', () => killAtEach(places(2).map((at) => `after:${at}` as const)))

// https://github.com/GEMISIS/leviath/issues/96, https://github.com/microsoft/agent-framework/issues/3938
test('killed within an effect: what may be repeated is told apart by its key, of the rest the outcome is unknown', async () => {
  const unknown: string[][] = []
  for (let at = 1; at <= EFFECTS; at++) unknown.push([...unknownCalls(await expectSame([`tool:${at}`]))])
  assert.deepEqual(unknown, [['call_2_0'], [], ['call_3_2'], ['call_5_0']])
})

test('killed again and again, it is still the same run', async () => {
  await expectSame(['after:2', 'before:2', 'after:1', 'tool:2', 'after:1'])
})

for (const name of EXAMPLES)
  test(`example ${name}, killed half-way and in the middle of what it had begun, ends as it would have`, async () => {
    const undisturbed = await liveExample(name, [])
    const half = Math.ceil(undisturbed.commits / 2)
    const killed = await liveExample(name, [`after:${half}`, 'within:1'])
    assert.ok(killed.kills > 0)
    assert.deepEqual(exampleFaults(killed, undisturbed), [])
  })

import assert from 'node:assert/strict'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { localTime } from '../examples/05-reminder/local-time.ts'
import { Reminders } from '../examples/05-reminder/reminders.ts'
import { reminderTools } from '../examples/05-reminder/tools.ts'
import { reply as hasty } from '../examples/scripted/hasty-reminder.ts'
import { reply as careful } from '../examples/scripted/reminder.ts'
import { type Event, run, scripted } from '../src/index.ts'

const WISH = 'remind me in two minutes to go for a walk, but only between 9 and 18'
const MINUTE = 60_000

/** A day in the user's own zone, whatever that is where the tests run. */
const at = (hours: number, minutes = 0): number => new Date(2026, 10, 30, hours, minutes).getTime()

function openAt(start: number, file = ':memory:') {
  const clock = { time: start }
  const told: string[] = []
  const now = () => clock.time
  const reminders = new Reminders({ file, now, tell: ({ text }) => told.push(text) })
  return { clock, told, now, reminders, [Symbol.dispose]: () => reminders[Symbol.dispose]() }
}

/** Has a wish answered at a time of the day. Gives what was called, what came of it, and what waits. */
async function wishAt(start: number, policy: typeof careful) {
  using place = openAt(start)
  const { reminders, now } = place
  const events: Event[] = []
  const model = scripted(policy)
  const tools = reminderTools(reminders, now)
  const onEvent = (event: Event) => void events.push(event)
  const { status, answer = '' } = await run(WISH, { model, protocol: 'agent-calls', tools, onEvent })
  const calls = events.flatMap((event) => (event.kind === 'call.finished' ? [`${event.name} ${event.ok}`] : []))
  return { status, answer, calls, waiting: reminders.waiting().map(({ at, text }) => [at, text]) }
}

for (const [when, start] of [
  ['at 9:00', at(9)],
  ['at noon', at(12)],
  ['at 17:59', at(17, 59)],
] as const)
  test(`${when} a wish for the hours from 9 to 18 is two calls, a reminder and a confirmation`, async () => {
    const { status, answer, calls, waiting } = await wishAt(start, careful)
    assert.deepEqual([status, calls], ['answered', ['datetime true', 'reminder true']])
    assert.deepEqual(waiting, [[start + 2 * MINUTE, 'go for a walk']])
    assert.ok(answer.includes(localTime(start + 2 * MINUTE)))
  })

for (const [when, start] of [
  ['at 8:59', at(8, 59)],
  ['at 18:00', at(18)],
  ['at night', at(23)],
] as const)
  test(`${when} it is answered, and no reminder is set`, async () => {
    const { status, answer, calls, waiting } = await wishAt(start, careful)
    assert.deepEqual([status, calls, waiting], ['answered', ['datetime true'], []])
    assert.match(answer, /not between 9 and 18, so I set no reminder/)
  })

test('a model that makes a time up to be done in one step is corrected', async () => {
  const { status, calls, waiting } = await wishAt(at(12), hasty)
  assert.deepEqual([status, calls], ['answered', ['datetime true', 'reminder false', 'reminder true']])
  assert.deepEqual(waiting, [[at(12, 2), 'go for a walk']])
})

test('such a model sets nothing outside of the hours either', async () => {
  const { calls, waiting } = await wishAt(at(20), hasty)
  assert.deepEqual([calls, waiting], [['datetime true', 'reminder false'], []])
})

test('the tool wants the time that datetime told, a time to come, and both in a form that is certain', async () => {
  using place = openAt(at(12))
  const [datetime, reminder] = reminderTools(place.reminders, place.now)
  const context = { call: 'a', client: 'local', idempotencyKey: 'key', signal: new AbortController().signal }
  const remind = async (now: string, wanted: string) =>
    (await reminder?.execute({ now, at: wanted, text: 'x' }, context))?.text ?? ''
  const [now, later] = [localTime(at(12)), localTime(at(12, 2))]
  assert.match(await remind(now, later), /Call datetime/, 'right by chance, but not read')
  await datetime?.execute({}, context)
  assert.match(await remind(localTime(at(12) + 1000), later), /not the time that datetime told/)
  for (const wanted of [later.slice(0, 19), 'in two minutes', '12:02', '2026-13-01T00:00:00Z'])
    assert.match(await remind(now, wanted), /not written as datetime writes/)
  assert.match(await remind(now, now), /in the past/)
  place.clock.time += 10 * MINUTE
  assert.match(await remind(now, localTime(at(13))), /Call datetime/, 'read, but long ago')
  assert.deepEqual(place.reminders.waiting(), [])
})

test('a reminder is told when its time has come, not before, and once', () => {
  using place = openAt(at(12))
  const { clock, told, reminders } = place
  reminders.add({ at: at(12, 2), text: 'walk', key: 'walk' })
  clock.time = at(12, 2) - 1
  reminders.tellDue()
  assert.deepEqual(told, [])
  clock.time = at(12, 2)
  for (let i = 0; i < 2; i++) reminders.tellDue()
  assert.deepEqual(told, ['walk'])
})

test('nobody has to ask: the process tells it by itself', async () => {
  const told = Promise.withResolvers<string>()
  using reminders = new Reminders({ file: ':memory:', now: Date.now, tell: ({ text }) => told.resolve(text) })
  reminders.add({ at: Date.now() + 20, text: 'walk', key: 'walk' })
  assert.deepEqual(reminders.waiting().length, 1)
  assert.equal(await told.promise, 'walk')
})

test('what came due while no process ran is told when the next one starts, and only by that one', () => {
  const folder = mkdtempSync(join(tmpdir(), 'tao-reminder-'))
  const file = join(folder, 'reminders.sqlite')
  const toldFrom = (start: number, then: (reminders: Reminders) => void = () => {}): readonly string[] => {
    using place = openAt(start, file)
    then(place.reminders)
    return place.told
  }
  toldFrom(at(12), (reminders) => reminders.add({ at: at(12, 2), text: 'walk', key: 'walk' }))
  assert.deepEqual(toldFrom(at(12, 1)), [])
  assert.deepEqual(toldFrom(at(13)), ['walk'])
  assert.deepEqual(toldFrom(at(14)), [])
  rmSync(folder, { recursive: true })
})

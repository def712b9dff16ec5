import assert from 'node:assert/strict'
import { join } from 'node:path'
import { after as afterAll, test } from 'node:test'
import * as login from '../examples/03-login-redirect/task.ts'
import { Bank } from '../examples/04-bank-assistant/bank.ts'
import { bankTools } from '../examples/04-bank-assistant/tools.ts'
import { Reminders } from '../examples/05-reminder/reminders.ts'
import { reminderTools } from '../examples/05-reminder/tools.ts'
import * as bankScripts from '../examples/scripted/bank-assistant.ts'
import { reply as mend } from '../examples/scripted/fix-failing-test.ts'
import { careful as diagnose } from '../examples/scripted/login-redirect.ts'
import { reply as remind } from '../examples/scripted/reminder.ts'
import { memoryJournal, type RunTaskOptions, run, scripted } from '../src/index.ts'
import { grounded } from '../src/judge/grounded.ts'
import { after, recorded } from './support/recorded.ts'

const SHOP = join(import.meta.dirname, '../examples/01-fix-failing-test')

const bank = (): RunTaskOptions => {
  const data = new Bank()
  const { account } = data.open('c-dana')
  const place = { policy: 'bank', client: 'c-dana', session: { account }, journal: memoryJournal() }
  return { protocol: 'thought-action', tools: bankTools(data), ...place }
}

const NOON = new Date(2026, 10, 30, 12).getTime()
const kept = new Reminders({ file: ':memory:', now: () => NOON, tell: () => undefined })
afterAll(() => kept[Symbol.dispose]())

const reminders = (): RunTaskOptions => ({ protocol: 'agent-calls', tools: reminderTools(kept, () => NOON) })

const EXAMPLES: readonly (readonly [string, Parameters<typeof scripted>[0], string, () => RunTaskOptions])[] = [
  ['01', mend, 'Find why the test fails and fix it.', () => ({ workspace: SHOP })],
  ['03', diagnose, login.TASK, () => login.CONTRACT],
  ['04', bankScripts.english, 'Why were 2,000 tenge taken from my account on 3 October?', bank],
  ['04, in Russian', bankScripts.russian, 'Почему 3 октября с моего счёта списали 2000 тенге?', bank],
  ['05', remind, 'remind me in two minutes to go for a walk, but only between 9 and 18', reminders],
]

/** Example 02 has the criterion itself: it could not end as a success otherwise. */
for (const [name, script, task, options] of EXAMPLES)
  test(`the answer of example ${name} raises no false alarm`, async () => {
    const observations: string[] = []
    const { answer = '' } = await run(task, {
      ...options(),
      model: scripted(script),
      onEvent: (event) => {
        if (event.kind === 'call.finished') observations.push(event.observation)
      },
    })
    assert.ok(observations.length > 0 && answer !== '', answer)
    const record = { words: [task], calls: observations.map((observation) => recorded({ observation })) }
    const { holds, detail } = await grounded().check(after(record, answer))
    assert.ok(holds, `${answer}\n${detail}`)
  })

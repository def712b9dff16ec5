// One of the examples, in a process that may be killed: `node mortal-example.ts NAME FOLDER`. Starts it, or goes on with it.
import { join } from 'node:path'
import { CONTRACT, TASK } from '../../examples/03-login-redirect/task.ts'
import { Bank } from '../../examples/04-bank-assistant/bank.ts'
import { bankTools } from '../../examples/04-bank-assistant/tools.ts'
import { Reminders } from '../../examples/05-reminder/reminders.ts'
import { reminderTools } from '../../examples/05-reminder/tools.ts'
import { english } from '../../examples/scripted/bank-assistant.ts'
import { careful } from '../../examples/scripted/login-redirect.ts'
import { reply as reminder } from '../../examples/scripted/reminder.ts'
import { openSqliteJournal, type RunTaskOptions, resume, run, type Script, scripted } from '../../src/index.ts'

const [name = '', folder = ''] = process.argv.slice(2)
const journal = openSqliteJournal(join(folder, 'journal.sqlite'))
const [known] = await journal.runs()
const events = known === undefined ? [] : await journal.read(known.run)
const from = events.filter(({ kind }) => kind === 'model.replied').length
const model = (script: Script) => scripted(script, { from })
/** Noon: reminders are set between 9 and 18. */
const NOON = new Date(2026, 0, 5, 12).getTime()

const EXAMPLES: Readonly<Record<string, () => readonly [task: string, options: RunTaskOptions]>> = {
  '03': () => [TASK, { ...CONTRACT, model: model(careful) }],
  '04': () => [
    'Why were 2,000 tenge taken from my account on 3 October?',
    {
      model: model(english),
      protocol: 'thought-action',
      tools: bankTools(new Bank()),
      policy: 'bank',
      client: 'c-dana',
      session: { account: new Bank().open('c-dana').account },
      handOver: true,
    },
  ],
  '05': () => {
    const now = () => NOON
    const reminders = new Reminders({ file: join(folder, 'reminders.sqlite'), now, tell: () => undefined })
    process.once('beforeExit', () => reminders[Symbol.dispose]())
    return [
      'Remind me in two minutes to go for a walk, but only between 9 and 18.',
      { model: model(reminder), protocol: 'agent-calls', tools: reminderTools(reminders, now) },
    ]
  },
}

const example = EXAMPLES[name]
if (example === undefined) throw new Error(`There is no example ${name}.`)
const [task, options] = example()
if (known === undefined) await run(task, { ...options, journal })
else if (events.at(-1)?.kind !== 'run.ended') await resume(known.run, { ...options, journal })
await journal.close()
process.exit()

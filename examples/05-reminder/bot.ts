import { parseArgs } from 'node:util'
import { run, type ScriptReply, scripted } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import { reply as hasty } from '../scripted/hasty-reminder.ts'
import { type Asked, reply as careful } from '../scripted/reminder.ts'
import { localTime } from './local-time.ts'
import { Reminders } from './reminders.ts'
import { reminderTools } from './tools.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    file: { type: 'string', default: 'reminders.sqlite' },
    /** What time it is to be now, such as 20:30. Default: the time it is. */
    clock: { type: 'string' },
    /** Without a key: the stand-in that makes a time up. */
    hasty: { type: 'boolean', default: false },
  },
})

const now = clockFrom(values.clock)
const reminders = new Reminders({ file: values.file, now, tell: ({ text }) => say(`Reminder: ${text}`) })
const [wish] = positionals
if (wish !== undefined) await answer(wish)
const waiting = reminders.waiting().length
say(
  waiting === 0
    ? 'Nothing is waiting.'
    : `Waiting: ${waiting}. Ctrl-C ends this; reminders are kept in ${values.file}.`,
)

async function answer(task: string): Promise<void> {
  const { status, answer, reason } = await run(task, {
    model: chooseModel(values.hasty ? hasty : careful),
    protocol: 'agent-calls',
    tools: reminderTools(reminders, now),
    onEvent: (event) => {
      if (event.kind === 'call.finished') say(`  ${event.name}: ${event.observation}`)
    },
  })
  say(status === 'answered' ? (answer ?? '') : `${status}: ${reason}`)
}

function chooseModel(standIn: (asked: Asked) => ScriptReply) {
  if (process.env.DEEPSEEK_API_KEY) return 'deepseek/deepseek-chat'
  say('No real model: DEEPSEEK_API_KEY is not set, so the replies come from a script.')
  return scripted(standIn, { name: 'scripted/reminder.ts' })
}

function clockFrom(time: string | undefined): () => number {
  if (time === undefined) return Date.now
  const [hours = 0, minutes = 0] = time.split(':').map(Number)
  const ahead = new Date().setHours(hours, minutes, 0, 0) - Date.now()
  return () => Date.now() + ahead
}

function say(words: string): void {
  console.log(`${localTime(now()).slice(11, 16)} ${words}`)
}

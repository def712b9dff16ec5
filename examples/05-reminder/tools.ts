import { z } from 'zod'
import { type Tool, type ToolResult, tool } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import { localTime } from './local-time.ts'
import type { Now, Reminders } from './reminders.ts'

/** What `datetime` told is old after this; a model that thinks for long asks again. */
const FRESH_MS = 5 * 60_000

/**
 * The two tools of one run. A model does not know what time it is, and some make one up. So `reminder` wants to be told the
 * time that `datetime` gave, to the second: who has not read it cannot know it, not even in the reply that asks for it.
 */
export function reminderTools(reminders: Reminders, now: Now): readonly Tool[] {
  const datetime = tool({
    name: 'datetime',
    description: 'Tells the date, the time and the day of the week, where the user is.',
    input: z.object({}),
    effects: 'read',
    run: () => {
      const at = now()
      reminders.noteReading(at)
      return { now: localTime(at), day: new Date(at).toLocaleDateString('en', { weekday: 'long' }) }
    },
  })

  const reminder = tool({
    name: 'reminder',
    description: 'Reminds the user of something at a time. Read the time with datetime first, in a step of its own.',
    input: z.object({
      now: z.string().describe('The value "now" that datetime gave, unchanged.'),
      at: z.string().describe('When to remind, written as datetime writes it: 2030-01-31T17:45:00+01:00.'),
      text: z.string().min(1).describe('What to remind of.'),
    }),
    effects: 'write',
    repeatable: true,
    run: ({ now: known, at: wanted, text }, { idempotencyKey: key }) => {
      const told = reminders.lastReading()
      if (told === undefined || known !== localTime(told) || now() - told > FRESH_MS)
        return refuse(
          `"now" is not the time that datetime told (it was given ${known}). Call datetime, wait for its result.`,
        )
      const at = Date.parse(wanted)
      if (!/T\d\d:\d\d.*(Z|[+-]\d\d:\d\d)$/.test(wanted) || Number.isNaN(at))
        return refuse(`"at" is not written as datetime writes a time (it was given ${wanted}).`)
      if (at <= now()) return refuse(`"at" is in the past: it is ${localTime(now())} now.`)
      reminders.add({ at, text, key })
      return `Set: at ${localTime(at)} the user is reminded of "${text}".`
    },
  })

  return [datetime, reminder]
}

const refuse = (why: string): ToolResult => ({ ok: false, text: `No reminder was set. ${why}` })

import { z } from 'zod'
import { DURATION, parseDuration } from './duration.ts'

/*
 * What the schemas of the task file are made of. Each `error` is what follows "must be".
 */

export const text = (error: string) => z.string({ error }).trim().min(1, { error })
export const count = (error = 'a whole number above 0') => z.number({ error }).int({ error }).positive({ error })
export const countOrNone = (error = 'a whole number, 0 or more') => z.number({ error }).int({ error }).min(0, { error })
export const yesOrNo = z.boolean({ error: 'true or false' })

export const paths = (what: string) =>
  z.array(text('a path'), { error: `a list of ${what}` }).describe(`A list of ${what}, relative to the workspace.`)

const TIME = 'a length of time above 0, such as 90s, 10m or 1h'
export const lengthOfTime = z
  .union([count(TIME), z.string({ error: TIME }).regex(DURATION, { error: TIME })], { error: TIME })
  .transform((value, context) => {
    const milliseconds = typeof value === 'number' ? value : parseDuration(value)
    if (milliseconds !== undefined) return milliseconds
    context.addIssue({ code: 'custom', message: TIME })
    return z.NEVER
  })

/** The job that every runner does: one tool, asked for again and again by the scripted service. */

export const SYSTEM = 'You fetch entries from a register, one by one, and then say that you have them all.'
export const TOOL = { name: 'lookup', description: 'Gives the text of one entry of the register.' } as const
export const KEY = 'The name of the entry.'

/** JSON Schema of the tool's arguments, for a runner without a schema library. */
export const PARAMETERS = {
  type: 'object',
  properties: { key: { type: 'string', description: KEY } },
  required: ['key'],
  additionalProperties: false,
} as const

/** The last reply of the service begins with this. */
export const ANSWER = 'COMPLETE'

// Quotes and line ends cost what they cost in real texts, and so does the dash: one character outside Latin-1 makes a
// string two bytes wide in V8.
const LINE = 'Shelf "B7": one brass hinge, 40 mm wide — see "fittings"; counted twice this year.\n'
const TEXT = LINE.repeat(25)

/** How often the tool was called in this process. */
export const calls = { count: 0 }

/** The tool: about 2 KB of text. */
export async function lookup({ key }: { readonly key: string }): Promise<string> {
  calls.count++
  return `${key}\n${TEXT}`
}

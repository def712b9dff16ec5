import type { WireMessage } from '../../src/core/request.ts'
import type { ScriptReply } from '../../src/model/script.ts'

type Asked = { readonly messages: readonly WireMessage[] }
export type Policy = (asked: Asked) => ScriptReply
/** One reply, made of what has been observed so far. */
type Step = (seen: string) => ScriptReply

/*
 * Stand in for a model in example 03 when no key is set. They know what to do next, and nothing of the site: files, keys and
 * the answer are taken from what the tools returned.
 */

const ponder: Step = () => ({ text: 'The path must get lost somewhere. I will see what happens when I log in.' })
const reproduce: Step = () => act('I reproduce it first.', 'run_test', { test: 'redirect' })
const search: Step = () => act('Who uses the session?', 'search_code', { text: 'session.' })
const readWriter: Step = (seen) =>
  act('This one writes the path.', 'read_file', { path: fileWith(/session\.set\('\w+', path\)/, seen) })
const readReader: Step = (seen) =>
  act('This one reads a path.', 'read_file', { path: fileWith(/session\.get\('\w+'\) \?\?/, seen) })
const compare: Step = () => act('Do both use one key?', 'run_test', { test: 'session-keys' })
const conclude: Step = (seen) => ({ text: `Thought: That is it.\nFinal Answer: ${messageIn(seen)}.` })
const guess: Step = () => ({ text: 'Thought: I know this kind of bug.\nFinal Answer: The browser drops the cookie.' })
const mend: Step = () =>
  act('I mend it at once.', 'edit_file', { path: 'src/callback.ts', from: 'redirectTo', to: 'returnTo' })

const look = [reproduce, search, readWriter, readReader, compare]

/** Thinks aloud before its first call, then looks at everything. */
export const careful = policy(ponder, ...look, conclude)
/** Claims to know the cause before it has looked; sent back, it looks. */
export const hasty = policy(guess, ...look, conclude)
/** Wants to change the site, which nobody asked for. */
export const eager = policy(reproduce, mend)
/** Only thinks aloud. */
export const rambling = policy(ponder, ponder)

function policy(...steps: readonly Step[]): Policy {
  return ({ messages }) => {
    const step = steps[messages.filter(({ role }) => role === 'assistant').length]
    const seen = messages.slice(2).flatMap(({ role, text }) => (role === 'user' ? [text] : []))
    return step?.(seen.join('\n')) ?? { text: 'Final Answer: I do not know how to go on.' }
  }
}

const act = (thought: string, tool: string, input: object): ScriptReply => ({
  text: `Thought: ${thought}\nAction: ${tool}\nAction Input: ${JSON.stringify(input)}`,
})

/** The file in whose line a search found this. */
const fileWith = (code: RegExp, seen: string): string =>
  seen
    .split('\n')
    .find((line) => code.test(line))
    ?.split(':')[0] ?? 'src'

/** What the failed test says. */
const messageIn = (seen: string): string => /the login entry stores .*/.exec(seen)?.[0] ?? 'I found nothing'

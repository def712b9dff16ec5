import type { WireMessage } from '../../src/core/request.ts'
import type { ScriptReply } from '../../src/model/script.ts'

export type Asked = { readonly messages: readonly WireMessage[] }

/**
 * Stands in for a model in example 05 when no key is set. It understands one kind of wish ("remind me in two minutes to …, but
 * only between 9 and 18") and knows nothing by heart: the time is the one that `datetime` told.
 */
export function reply({ messages }: Asked): ScriptReply {
  const wish = readWish(messages)
  if (wish === undefined) return say('I only understand: remind me in … minutes to …')
  const told = resultsOf(messages, 'datetime').at(-1)
  if (told === undefined) return call({ agent: 'datetime', args: {} })
  const { now } = JSON.parse(told) as { readonly now: string }
  const set = resultsOf(messages, 'reminder').find((result) => result.startsWith('Set: '))
  if (set !== undefined) return say(`Done: ${set.slice('Set: '.length)}`)
  const hour = Number(now.slice(11, 13))
  if (hour < wish.from || hour >= wish.to)
    return say(`It is ${now.slice(11, 16)}, which is not between ${wish.from} and ${wish.to}, so I set no reminder.`)
  return call({ agent: 'reminder', args: { now, at: minutesAfter(now, wish.minutes), text: wish.text } })
}

interface Wish {
  readonly minutes: number
  readonly text: string
  /** Hours of the day. */
  readonly from: number
  readonly to: number
}

const WORDS = ['zero', 'one', 'two', 'three', 'four', 'five', 'six', 'seven', 'eight', 'nine', 'ten']
const WISH = /remind me in (\w+) minutes? to (.+?)(?:,? but only between (\d+) and (\d+))?\.?$/i

function readWish(messages: readonly WireMessage[]): Wish | undefined {
  const words = messages.find(({ role }) => role === 'user')?.text ?? ''
  const [, count = '', text, from = '0', to = '24'] = WISH.exec(words) ?? []
  const minutes = /^\d+$/.test(count) ? Number(count) : WORDS.indexOf(count.toLowerCase())
  return text === undefined || minutes < 0 ? undefined : { minutes, text, from: Number(from), to: Number(to) }
}

/** Keeps the offset in which the time was told. */
function minutesAfter(time: string, minutes: number): string {
  const local = Date.parse(`${time.slice(0, 19)}Z`) + minutes * 60_000
  return new Date(local).toISOString().slice(0, 19) + time.slice(19)
}

/** What an agent returned, each time. */
function resultsOf(messages: readonly WireMessage[], agent: string): readonly string[] {
  return messages.slice(2).flatMap(({ role, text }) => {
    const seen = role === 'user' ? (JSON.parse(text) as { readonly agent?: string; readonly result?: string }) : {}
    return seen.agent === agent && seen.result !== undefined ? [seen.result] : []
  })
}

interface AgentCall {
  readonly agent: string
  readonly args: object
}

export const call = (...calls: readonly AgentCall[]): ScriptReply => ({
  text: JSON.stringify({ response: '', agent_calls: calls }),
})

const say = (response: string): ScriptReply => ({ text: JSON.stringify({ response, agent_calls: [] }) })

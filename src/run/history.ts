import { showInvisible } from '../core/invisible.ts'
import type { ObservationMessage, UserMessage } from '../core/message.ts'
import { estimateTokens } from '../core/usage.ts'
import { countRepeat } from './repeats.ts'
import type { OpenCall, State } from './state.ts'

/*
 * How a state's history grows. Only the folds of events call these. Events keep an observation as it was; what the model is
 * shown has nothing invisible in it.
 */

/** One observation for one call. When the last call of the reply has its own, all enter the history in reply order. */
export function answer(state: State, id: string, observation: string, files: readonly string[]): void {
  const open = openCall(state, id)
  open.stage = 'answered'
  open.observation = showInvisible(observation)
  countRepeat(state.repeats, { call: open.call, observation, changed: files.length > 0 })
  state.contextTokens += estimateTokens(observation)
  if (state.calls.some((each) => each.stage !== 'answered')) return
  for (const { call, observation: text } of state.calls) state.messages.push({ role: 'observation', text, call })
  state.calls = []
  state.messages.push(...state.waiting)
  state.waiting = []
}

/** Tells the model something that answers no call. */
export const tell = (state: State, observation: string): void =>
  append(state, { role: 'observation', text: showInvisible(observation) })

/** Nothing may stand between the answers to the calls of a reply: what is said meanwhile comes after them. */
export function append(state: State, message: UserMessage | ObservationMessage): void {
  const place = state.calls.length > 0 ? state.waiting : state.messages
  place.push(message)
  state.contextTokens += estimateTokens(message.text)
}

export function openCall(state: State, id: string): OpenCall {
  const open = state.calls.find((each) => each.call.id === id)
  if (open === undefined) throw new Error(`The journal speaks of call ${id}, which no reply has asked for.`)
  return open
}

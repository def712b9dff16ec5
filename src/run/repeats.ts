import { hash } from 'node:crypto'
import type { ToolCall } from '../core/call.ts'
import type { Repeats } from './state.ts'

export interface AnsweredCall {
  readonly call: ToolCall
  readonly observation: string
  /** Whether the call changed files. */
  readonly changed: boolean
}

/**
 * Counts how often the same tool with the same arguments gave the same result. A different result is progress, so polling
 * goes on. After a change of a file, running the same check again is no repeat; making the same change again is.
 */
export function countRepeat(repeats: Repeats, { call, observation, changed }: AnsweredCall): void {
  const key = hash('sha1', JSON.stringify([call.name, call.arguments, observation]), 'base64')
  if (changed) repeats.others.clear()
  const counts = changed ? repeats.changing : repeats.others
  const count = (counts.get(key) ?? 0) + 1
  counts.set(key, count)
  repeats.most = Math.max(count, changed ? 0 : repeats.most)
}

import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { Finish, Reply } from '../core/request.ts'
import type { Price } from './model.ts'
import { ModelError } from './model.ts'
import type { Asked } from './service-error.ts'
import { keptBody, serviceError, serviceWords } from './service-error.ts'

/** A reply without the times, which the connection knows. */
export type ReplyParts = Omit<Reply, 'firstByteMs' | 'totalMs'>

/** What reading a reply needs to know beyond its bytes. */
export interface Reading {
  readonly asked: Asked
  readonly price: Price | undefined
}

/** Services that put an error where the reply belongs answer 200 all the same. */
export function refuseErrors(value: JsonObject, raw: string, asked: Asked): void {
  const choice = firstChoice(value)
  if (value.error || choice?.error) throw serviceError({ status: 200, body: raw }, asked)
  // DeepSeek ran out of machines in the middle of a reply: the same request may well succeed.
  if (choice?.finish_reason === 'insufficient_system_resource')
    throw new ModelError('overloaded', `${asked.name} gave up in mid-reply: insufficient_system_resource.`, {
      body: keptBody(raw, asked),
    })
}

export function firstChoice(value: JsonObject): JsonObject | undefined {
  const choice = Array.isArray(value.choices) ? (value.choices[0] as Json | undefined) : undefined
  return isJsonObject(choice) ? choice : undefined
}

export function unreadable(asked: Asked, what: string, raw: string): ModelError {
  const body = keptBody(raw, asked)
  const words = serviceWords(body)
  return new ModelError('unreadable', `${asked.name} answered ${what}${words === '' ? '' : `: ${words}`}`, { body })
}

const FINISHES: ReadonlyMap<string, Finish> = new Map<string, Finish>([
  ['stop', 'stop'],
  ['eos', 'stop'],
  ['end_turn', 'stop'],
  ['stop_sequence', 'stop'],
  ['tool_calls', 'calls'],
  ['function_call', 'calls'],
  ['tool_use', 'calls'],
  ['length', 'length'],
  ['max_tokens', 'length'],
  ['model_length', 'length'],
  ['model_context_window_exceeded', 'length'],
  ['content_filter', 'filtered'],
  ['refusal', 'filtered'],
  ['safety', 'filtered'],
  ['error', 'broken'],
  ['abort', 'broken'],
])

/** A reason nobody knows is `other`, never a clean stop. */
export const finishOf = (reason: unknown): Finish =>
  (typeof reason === 'string' ? FINISHES.get(reason.toLowerCase()) : undefined) ?? 'other'

/** Content is a text, or a list of parts of which some are texts. */
export function contentText(content: unknown): string {
  if (typeof content === 'string') return content
  if (!Array.isArray(content)) return ''
  return content
    .map((part: Json) => (isJsonObject(part) && typeof part.text === 'string' ? part.text : contentText(part)))
    .join('')
}

/** Services disagree about the name of the field. */
export function reasoningText(message: JsonObject): string {
  const text = message.reasoning_content ?? message.reasoning
  return typeof text === 'string' ? text : ''
}

/** Arguments as text. A service that sends an object in place of a text gets it written as JSON. */
export function argumentsText(value: unknown): string {
  if (typeof value === 'string') return value
  return value === undefined || value === null ? '' : JSON.stringify(value)
}

export const textOf = (value: unknown): string | undefined =>
  typeof value === 'string' && value.trim() !== '' ? value : undefined

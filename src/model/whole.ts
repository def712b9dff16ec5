import type { Json, JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { RawCall } from '../core/request.ts'
import type { Reading, ReplyParts } from './chat-choice.ts'
import {
  argumentsText,
  contentText,
  finishOf,
  firstChoice,
  reasoningText,
  refuseErrors,
  textOf,
  unreadable,
} from './chat-choice.ts'
import { readUsage } from './chat-usage.ts'

/** Reads the body of a reply that came in one piece. Throws a `ModelError` with the body when it is none. */
export function readWhole(raw: string, reading: Reading): ReplyParts {
  const { asked, price } = reading
  if (raw.trim() === '') throw unreadable(asked, 'nothing', raw)
  const value = parse(raw)
  if (!isJsonObject(value)) throw unreadable(asked, 'something that is no reply', raw)
  refuseErrors(value, raw, asked)
  const choice = firstChoice(value)
  const message = choice?.message
  if (choice === undefined || !isJsonObject(message)) throw unreadable(asked, 'without a message', raw)
  const reasoning = reasoningText(message)
  const refusal = textOf(message.refusal)
  const usage = readUsage(value.usage, price)
  return {
    text: contentText(message.content) || (refusal ?? ''),
    ...(reasoning === '' ? {} : { reasoning }),
    calls: readCalls(message),
    finish: refusal === undefined ? finishOf(choice.finish_reason) : 'filtered',
    ...(usage === undefined ? {} : { usage }),
  }
}

function parse(raw: string): unknown {
  try {
    return JSON.parse(raw)
  } catch {
    return undefined
  }
}

/** `function_call` is how calls were written before there could be several. */
function readCalls(message: JsonObject): readonly RawCall[] {
  const { tool_calls: calls, function_call: only } = message
  if (Array.isArray(calls) && calls.length > 0) return calls.filter(isJsonObject).map(readCall).filter(isCall)
  return isJsonObject(only) ? [readCall({ function: only })].filter(isCall) : []
}

/** A call that says neither what nor with what is a service's artefact, not a wish of the model. */
const isCall = (call: RawCall): boolean => call.name !== '' || call.arguments !== ''

function readCall(call: JsonObject): RawCall {
  const wanted: Json = call.function ?? {}
  const id = textOf(call.id)
  const { name, arguments: given } = isJsonObject(wanted) ? wanted : {}
  return { ...(id === undefined ? {} : { id }), name: textOf(name) ?? '', arguments: argumentsText(given) }
}

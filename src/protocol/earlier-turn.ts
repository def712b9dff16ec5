import type { ToolCall } from '../core/call.ts'
import { type Json, readJson } from '../core/json.ts'
import type { AssistantMessage } from '../core/message.ts'
import { openAgentCallsReader } from './agent-calls-reader.ts'
import type { ReplyReader } from './reader.ts'
import { openTaggedReader } from './tagged-reader.ts'
import { openThoughtActionReader } from './thought-action-reader.ts'

/** A turn with calls from before the run went on in another protocol: to be written anew in that one. */
export interface EarlierTurn {
  /** What the model said beside its calls; may be empty. */
  readonly said: string
  readonly calls: readonly { readonly name: string; readonly input: Json }[]
}

const READERS: Readonly<Record<string, () => ReplyReader>> = {
  tagged: openTaggedReader,
  'thought-action': openThoughtActionReader,
  'agent-calls': () => openAgentCallsReader(() => undefined),
}

/** Undefined for a turn that this protocol wrote itself, or that has no calls: such a turn is shown as it is. */
export function earlierTurn(message: AssistantMessage, protocol: string): EarlierTurn | undefined {
  const { writtenIn, calls, text } = message
  if (writtenIn === undefined || writtenIn === protocol || calls.length === 0) return undefined
  const reader = READERS[writtenIn]?.()
  return {
    said: reader === undefined ? text : beside(reader, text),
    calls: calls.map((call) => ({ name: call.name, input: inputOf(call) })),
  }
}

function beside(reader: ReplyReader, text: string): string {
  const deltas = [...reader.push(text), ...reader.end()]
  return deltas.flatMap((delta) => (delta.kind === 'reasoning' || delta.kind === 'text' ? [delta.text] : [])).join('')
}

/** Arguments that could not be read stay a text. */
function inputOf(call: ToolCall): Json {
  const read = readJson(call.arguments)
  return read.ok ? read.value : call.arguments
}

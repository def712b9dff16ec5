import type { ToolCall } from '../core/call.ts'
import { isJsonObject, type Json } from '../core/json.ts'
import type { WireMessage } from '../core/request.ts'

/**
 * A message as chat/completions has it. Half surrogate pairs are replaced: some services refuse a request that holds
 * one, and then every later request of the run too.
 */
export function chatMessage(message: WireMessage, withReasoning: boolean): Json {
  switch (message.role) {
    case 'system':
    case 'user':
      return { role: message.role, content: contentOf(message) }
    case 'tool':
      return { role: 'tool', tool_call_id: message.call.id, content: message.text.toWellFormed() }
    case 'assistant':
      return assistantMessage(message, withReasoning)
  }
}

function contentOf({ text, pictures = [] }: Extract<WireMessage, { role: 'user' | 'system' }>): Json {
  const said = text.toWellFormed()
  if (pictures.length === 0) return said
  const shown = pictures.map(({ mediaType, base64 }) => ({
    type: 'image_url',
    image_url: { url: `data:${mediaType};base64,${base64}` },
  }))
  return [{ type: 'text', text: said }, ...shown]
}

function assistantMessage(message: Extract<WireMessage, { role: 'assistant' }>, withReasoning: boolean): Json {
  const { calls, reasoning } = message
  const content = message.text.toWellFormed()
  if (calls.length === 0) return { role: 'assistant', content }
  return {
    role: 'assistant',
    content: content === '' ? null : content,
    // A turn that came without reasoning, or from another model, is refused unless the field is there.
    ...(withReasoning ? { reasoning_content: (reasoning ?? '').toWellFormed() } : {}),
    tool_calls: calls.map(chatCall),
  }
}

/** Arguments go back as the model wrote them; those that cannot be read would make the whole request unreadable. */
const chatCall = (call: ToolCall): Json => ({
  id: call.id,
  type: 'function',
  function: {
    name: sendableName(call.name),
    arguments: isReadable(call) ? call.arguments.toWellFormed() : '{}',
  },
})

function isReadable({ problem, arguments: text }: ToolCall): boolean {
  try {
    return problem === undefined && isJsonObject(JSON.parse(text) as Json)
  } catch {
    return false
  }
}

const LONGEST_NAME = 64

/** Services refuse a request that names a function outside `[A-Za-z0-9_-]{1,64}`, even one a model made up. */
const sendableName = (name: string): string =>
  name.replaceAll(/[^A-Za-z0-9_-]/g, '_').slice(0, LONGEST_NAME) || 'unnamed'

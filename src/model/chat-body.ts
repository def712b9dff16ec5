import type { Hash } from 'node:crypto'
import { createHash } from 'node:crypto'
import type { RequestHead, ToolChoice, WireMessage } from '../core/request.ts'
import { chatMessage } from './chat-message.ts'
import type { RequestBody, TakenBody } from './model.ts'
import type { Profile } from './profile.ts'

/**
 * The body of a chat/completions request. What never changes stands first and the choice of tools last, so each request
 * begins with the bytes of the one before up to its last message: prompt caches depend on that. A step costs its new
 * messages only, in encoding as in hashing.
 */
export function chatBody(profile: Profile, model: string, head: RequestHead): RequestBody {
  const bytes = new GrowingBytes(chatHead(profile, model, head))
  const withReasoning = profile.returnsReasoning(head)
  let messages = 0
  let before: { readonly end: number; readonly tail: Buffer } | undefined
  return {
    append(message: WireMessage): void {
      const text = JSON.stringify(chatMessage(message, withReasoning))
      bytes.append(messages++ === 0 ? text : `,${text}`)
    },
    take(toolChoice: ToolChoice): TakenBody {
      const tail = Buffer.from(head.tools.length === 0 ? ']}' : `],"tool_choice":"${toolChoice}"}`)
      const end = bytes.length
      const prefixBytes = before === undefined ? 0 : before.end + (before.end === end ? alike(before.tail, tail) : 0)
      before = { end, tail }
      return { bytes: bytes.with(tail), prefixBytes, sha256: bytes.hashWith(tail) }
    },
  }
}

/** Everything before the first message. */
function chatHead(profile: Profile, model: string, head: RequestHead): string {
  const refuses = profile.refuses(model)
  const fields = {
    model,
    ...(refuses.temperature ? {} : sampling(head)),
    [refuses.maxTokens ? 'max_completion_tokens' : 'max_tokens']: head.maxOutputTokens,
    stream: head.stream,
    ...(head.stream ? { stream_options: { include_usage: true } } : {}),
    ...profile.extras(head),
    ...(head.stop.length > 0 && !refuses.stop ? { stop: head.stop } : {}),
    ...(head.tools.length > 0 ? { tools: head.tools.map(chatTool) } : {}),
  }
  return `${JSON.stringify(fields).slice(0, -1)},"messages":[`
}

const sampling = ({ temperature, topP, presencePenalty }: RequestHead) => ({
  temperature,
  ...(topP === undefined ? {} : { top_p: topP }),
  ...(presencePenalty === undefined ? {} : { presence_penalty: presencePenalty }),
})

const chatTool = ({ name, description, parameters }: RequestHead['tools'][number]) => ({
  type: 'function',
  function: { name, description, parameters },
})

function alike(a: Buffer, b: Buffer): number {
  let count = 0
  while (count < a.length && a[count] === b[count]) count++
  return count
}

/** Bytes that only grow, and their running hash. */
class GrowingBytes {
  length = 0
  #buffer: Buffer
  readonly #hash: Hash = createHash('sha256')

  constructor(start: string) {
    this.#buffer = Buffer.allocUnsafe(Math.max(4096, start.length * 2))
    this.append(start)
  }

  append(text: string): void {
    // A UTF-16 code unit takes three bytes at most; counting exactly costs less than reserving that for long texts.
    const size = text.length * 3 <= this.#buffer.length - this.length ? text.length * 3 : Buffer.byteLength(text)
    this.#reserve(size)
    const written = this.#buffer.write(text, this.length)
    this.#hash.update(this.#buffer.subarray(this.length, this.length + written))
    this.length += written
  }

  /** A view of everything with `tail` behind it. The tail is not kept: the next append or view writes over it. */
  with(tail: Buffer): Buffer {
    this.#reserve(tail.length)
    tail.copy(this.#buffer, this.length)
    return this.#buffer.subarray(0, this.length + tail.length)
  }

  hashWith(tail: Buffer): string {
    return this.#hash.copy().update(tail).digest('hex')
  }

  #reserve(size: number): void {
    if (this.length + size <= this.#buffer.length) return
    const old = this.#buffer
    this.#buffer = Buffer.allocUnsafeSlow(Math.max(old.length * 2, this.length + size))
    old.copy(this.#buffer, 0, 0, this.length)
  }
}

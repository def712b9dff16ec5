import type { IncomingHttpHeaders } from 'node:http'
import type { Delta } from '../core/request.ts'
import type { Reading, ReplyParts } from './chat-choice.ts'
import { unreadable } from './chat-choice.ts'
import type { AnswerReader, Progress } from './http-post.ts'
import type { ModelError } from './model.ts'
import { serviceError } from './service-error.ts'
import { StreamedReply } from './stream.ts'
import { readWhole } from './whole.ts'

export interface AnswerOptions {
  readonly reading: Reading
  /** What was asked for; what came decides. */
  readonly stream: boolean
  readonly tell: (delta: Delta) => void
}

/** No reply is near this size; a service that sends more is not answering. */
const MOST_BYTES = 64 << 20

/** Reads an answer of a chat/completions service: a whole reply, a stream, or an error. */
export class ChatAnswer implements AnswerReader<ReplyParts & { readonly firstByteMs: number }> {
  readonly #options: AnswerOptions
  readonly #started = performance.now()
  readonly #decoder = new TextDecoder()
  readonly #chunks: Buffer[] = []
  #firstByteMs = 0
  #bytes = 0
  #status = 0
  #retryAfter: string | undefined
  #stream: StreamedReply | undefined

  constructor(options: AnswerOptions) {
    this.#options = options
  }

  onStart(status: number, headers: IncomingHttpHeaders): void {
    this.#firstByteMs = performance.now() - this.#started
    this.#status = status
    this.#retryAfter = headers['retry-after']
    const type = headers['content-type'] ?? ''
    const isStream = type.includes('event-stream') || (this.#options.stream && !type.includes('json'))
    if (isStream && this.#isSuccess()) this.#stream = new StreamedReply(this.#options.reading, this.#options.tell)
  }

  onData(chunk: Buffer): Progress {
    this.#bytes += chunk.length
    if (this.#bytes > MOST_BYTES) throw unreadable(this.#options.reading.asked, `more than ${MOST_BYTES} bytes`, '')
    if (this.#stream !== undefined) return this.#stream.feed(this.#decoder.decode(chunk, { stream: true }))
    this.#chunks.push(chunk)
    return 'more'
  }

  onEnd(trouble?: ModelError): ReplyParts & { readonly firstByteMs: number } {
    return { ...this.#parts(trouble), firstByteMs: this.#firstByteMs }
  }

  #parts(trouble: ModelError | undefined): ReplyParts {
    if (this.#stream !== undefined) return this.#stream.end(trouble)
    const { reading } = this.#options
    const body = this.#decoder.decode(Buffer.concat(this.#chunks))
    if (this.#status !== 0 && !this.#isSuccess()) throw this.#refusal(body)
    if (trouble !== undefined) throw trouble
    return readWhole(body, reading)
  }

  #refusal(body: string): ModelError {
    const retryAfter = this.#retryAfter === undefined ? {} : { retryAfter: this.#retryAfter }
    return serviceError({ status: this.#status, body, ...retryAfter }, this.#options.reading.asked)
  }

  #isSuccess(): boolean {
    return this.#status >= 200 && this.#status < 300
  }
}

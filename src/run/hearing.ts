import type { Delta, Reply } from '../core/request.ts'
import type { MaskedStream } from '../core/secrets.ts'
import type { Retry } from '../model/model.ts'
import type { ReplyReader } from '../protocol/reader.ts'
import type { Parts } from './run.ts'

type HearingParts = Pick<Parts, 'protocol' | 'masker' | 'onDelta' | 'onRetry'>

/** Hears one reply, in pieces or whole: shows what can be shown of it, and keeps what counts. */
export class Hearing {
  readonly #parts: HearingParts
  readonly #began = performance.now()
  #reader: ReplyReader
  /** One for each kind of piece, so that a secret cannot be split by a piece of another kind. */
  #masked = new Map<Delta['kind'], MaskedStream>()
  #reasoning = ''
  #firstPieceMs: number | undefined
  #hasText = false

  constructor(parts: HearingParts) {
    this.#parts = parts
    this.#reader = parts.protocol.openReader()
  }

  /** Nothing that follows counts. */
  get stopped(): boolean {
    return this.#reader.stopped
  }

  /** A piece as the model sent it. */
  hear(delta: Delta): void {
    this.#firstPieceMs ??= performance.now() - this.#began
    if (delta.kind === 'reasoning') this.#reasoning += delta.text
    if (delta.kind === 'text') this.#hasText = true
    this.#show(delta.kind === 'text' ? this.#reader.push(delta.text) : [delta])
  }

  /** The model is asked again: what it said so far is no part of the reply. */
  startOver(retry: Retry): void {
    this.#reader = this.#parts.protocol.openReader()
    this.#masked.clear()
    this.#reasoning = ''
    this.#firstPieceMs = undefined
    this.#hasText = false
    this.#parts.onRetry?.(this.#parts.masker?.mask(retry) ?? retry)
  }

  /** The reply has ended. What stands before a stop marker is whole, even where the rest of the reply is not. */
  endWith(reply: Reply): Reply {
    if (!this.#hasText) this.#reader.push(reply.text)
    const rest = this.#reader.end()
    if (this.#hasText && (this.stopped || !INCOMPLETE.has(reply.finish))) this.#show(rest)
    this.#showHeldBack()
    if (!this.stopped) return reply
    return { ...reply, text: this.#reader.text, finish: reply.finish === 'filtered' ? 'filtered' : 'stop' }
  }

  /** The reply as far as it counts, of which the service did not see the end. */
  cutReply(): Reply {
    this.#show(this.#reader.end())
    this.#showHeldBack()
    return {
      text: this.#reader.text,
      ...(this.#reasoning === '' ? {} : { reasoning: this.#reasoning }),
      calls: [],
      finish: 'stop',
      firstByteMs: this.#firstPieceMs ?? 0,
      totalMs: performance.now() - this.#began,
    }
  }

  #show(deltas: readonly Delta[]): void {
    const { onDelta } = this.#parts
    if (onDelta === undefined) return
    for (const delta of deltas) {
      const text = this.#streamFor(delta.kind)?.push(delta.text) ?? delta.text
      if (text !== '' || delta.text === '') onDelta({ ...delta, text })
    }
  }

  #showHeldBack(): void {
    for (const [kind, masked] of this.#masked) {
      const text = masked.end()
      if (text !== '') this.#parts.onDelta?.({ kind, text })
    }
  }

  #streamFor(kind: Delta['kind']): MaskedStream | undefined {
    const { masker } = this.#parts
    const open = this.#masked.get(kind) ?? masker?.openStream()
    if (open !== undefined) this.#masked.set(kind, open)
    return open
  }
}

const INCOMPLETE: ReadonlySet<Reply['finish']> = new Set(['length', 'filtered', 'broken'])

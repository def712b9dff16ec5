import { InventionGate } from './dialects/invented-result.ts'
import { findMark, marksOf } from './marks.ts'
import { type ReplyReader, readerOf, type Sorter } from './reader.ts'
import type { ShownText } from './shown-text.ts'
import { CLOSE_THINK, OPEN_THINK } from './think-tags.ts'

export const openNativeReader = (): ReplyReader => readerOf((shown) => new NativeSorter(shown))

const THINKING = marksOf(...OPEN_THINK, ...CLOSE_THINK)

/**
 * Text is text, but for thoughts that a service leaves at its beginning; they may be nested. A result that the model writes
 * behind a call in the text is not shown, nor is anything behind it.
 */
class NativeSorter implements Sorter {
  readonly #shown: ShownText
  readonly #gate = new InventionGate()
  #place: 'start' | 'thinking' | 'text' = 'start'
  #held = ''
  /** Thoughts that are open. */
  #depth = 0

  constructor(shown: ShownText) {
    this.#shown = shown
    shown.begin('text')
  }

  push(piece: string): void {
    this.#held += piece
    if (this.#place === 'start') this.#start()
    if (this.#place === 'thinking') this.#think()
    if (this.#place !== 'text') return
    this.#shown.write(this.#gate.push(this.#held))
    this.#held = ''
  }

  end(): void {
    this.#shown.write(this.#gate.end() + this.#held)
  }

  #start(): void {
    this.#held = this.#held.trimStart()
    const isThought = OPEN_THINK.some((mark) => this.#held.startsWith(mark))
    if (!isThought && OPEN_THINK.some((mark) => mark.startsWith(this.#held))) return
    this.#place = isThought ? 'thinking' : 'text'
    if (isThought) this.#shown.begin('reasoning')
  }

  #think(): void {
    let at = 0
    while (at < this.#held.length && this.#place === 'thinking') {
      const { end, mark } = findMark(THINKING, this.#held, at)
      this.#shown.write(this.#held.slice(at, end))
      at = end + (mark ?? '').length
      if (mark === undefined) break
      this.#depth += OPEN_THINK.includes(mark) ? 1 : -1
      if (this.#depth === 0) this.#place = 'text'
    }
    this.#held = this.#held.slice(at)
    if (this.#place === 'text') this.#shown.begin('text')
  }
}

import type { Delta } from '../core/request.ts'

type Kind = Delta['kind']

/**
 * Collects what is shown of a reply. Each section is shown without the white space around it, and one of a kind that was
 * shown before begins on a new line. Never shows half a surrogate pair before the other half came.
 */
export class ShownText {
  readonly #shown = new Set<Kind>()
  #deltas: Delta[] = []
  #kind: Kind = 'reasoning'
  #isFresh = true
  /** White space that nothing followed yet, perhaps with the first half of a pair. */
  #held = ''

  begin(kind: Kind): void {
    this.close()
    this.#kind = kind
    this.#isFresh = true
  }

  /** Whether anything of this kind was shown. */
  has(kind: Kind): boolean {
    return this.#shown.has(kind)
  }

  write(text: string): void {
    const end = endOfShown(text)
    if (end === 0) {
      this.#held += text
      return
    }
    this.#show(this.#held + text.slice(0, end))
    this.#held = text.slice(end)
  }

  /** Ends the section. */
  close(): void {
    const rest = this.#held.trimEnd()
    this.#held = ''
    if (rest !== '') this.#show(rest)
  }

  take(): readonly Delta[] {
    const taken = this.#deltas
    if (taken.length > 0) this.#deltas = []
    return taken
  }

  #show(text: string): void {
    const kind = this.#kind
    const lead = this.#isFresh && this.#shown.has(kind) ? '\n' : ''
    const piece = lead + (this.#isFresh ? text.trimStart() : text)
    this.#isFresh = false
    this.#shown.add(kind)
    const last = this.#deltas.at(-1)
    if (last?.kind !== kind) this.#deltas.push({ kind, text: piece })
    else this.#deltas[this.#deltas.length - 1] = { kind, text: last.text + piece }
  }
}

/** Where white space, or the first half of a pair, begins that nothing follows. */
function endOfShown(text: string): number {
  const isHalf = /[\ud800-\udbff]/.test(text.at(-1) ?? '')
  return (isHalf ? text.slice(0, -1) : text).trimEnd().length
}

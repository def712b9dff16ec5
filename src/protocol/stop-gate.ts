/** How a stop marker is recognised. Both patterns are global, look no further back than one character and are bounded. */
export interface StopMarker {
  /** A marker, whole. Where it begins, the reply ends. */
  readonly whole: RegExp
  /** What reaches the end of the text and may become a marker; matches nothing at all at the end of every text. */
  readonly begun: RegExp
  /** Whether what is left of a begun marker at the end of a reply is a piece of the service's stop word that leaked. */
  isLeak(rest: string): boolean
}

/** No beginning of a marker is longer. */
const LONGEST = 80

/** Lets text through up to a stop marker; a possible beginning of one is held back until it is known. */
export class StopGate {
  readonly #marker: StopMarker | undefined
  /** The last character let through: whether a marker begins may depend on it. */
  #before = ''
  #held = ''
  #text = ''
  #stopped = false

  constructor(marker?: StopMarker) {
    this.#marker = marker
  }

  get stopped(): boolean {
    return this.#stopped
  }

  /** What counts of all that was let through. */
  get text(): string {
    return this.#text
  }

  push(piece: string): string {
    if (this.#stopped) return ''
    if (this.#marker === undefined) return this.#letThrough(piece)
    const from = this.#before.length
    const text = this.#before + this.#held + piece
    const stop = find(this.#marker.whole, text, from)
    this.#stopped = stop !== text.length
    const end = this.#stopped ? stop : beginOfMarker(text, this.#marker, from)
    this.#held = this.#stopped ? '' : text.slice(end)
    const sure = this.#letThrough(text.slice(from, end))
    if (this.#stopped) this.#text = withoutLeak(this.#text, this.#marker)
    return sure
  }

  end(): string {
    const rest = this.#held
    this.#held = ''
    if (this.#marker === undefined || !this.#marker.isLeak(rest)) return this.#letThrough(rest)
    this.#text = withoutLeak(this.#text, this.#marker)
    return ''
  }

  #letThrough(text: string): string {
    this.#before = text.at(-1) ?? this.#before
    this.#text += text
    return text
  }
}

/** What counts of a whole text. */
export function withoutStop(text: string, marker: StopMarker): string {
  const gate = new StopGate(marker)
  gate.push(text)
  gate.end()
  return gate.text
}

/** Where a marker may begin that reaches beyond the end of the text; the end where none does. */
const beginOfMarker = (text: string, { begun }: StopMarker, from = 0): number =>
  find(begun, text, Math.max(from, text.length - LONGEST))

/** The text before a marker, without the white space and the pieces of other markers at its end. */
function withoutLeak(text: string, marker: StopMarker): string {
  let kept = text.trimEnd()
  for (;;) {
    const end = beginOfMarker(kept, marker)
    if (!marker.isLeak(kept.slice(end))) return kept
    kept = kept.slice(0, end).trimEnd()
  }
}

/** Where the pattern matches at or after `from`; the end of the text where it does not. */
function find(pattern: RegExp, text: string, from: number): number {
  pattern.lastIndex = from
  return pattern.exec(text)?.index ?? text.length
}

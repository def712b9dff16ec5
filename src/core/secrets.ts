import { TaoError } from './error.ts'
import { secretForms } from './secret-forms.ts'

/** A value that nobody is to see, and what it is called where it stood. */
export interface Secret {
  readonly name: string
  readonly value: string
}

/** Takes secrets out of what is recorded and shown. */
export interface Masker {
  /** The very same value when there is no secret in it. Of data, strings and names of properties are looked through. */
  mask<T>(value: T): T
  openStream(): MaskedStream
}

/** The text of a stream that is shown piece by piece: a secret split over pieces is masked like a whole one. */
export interface MaskedStream {
  /** What of the text so far can be shown. What may be the beginning of a secret is held back. */
  push(piece: string): string
  /** What was held back, now that nothing follows. */
  end(): string
}

/** Shorter values stand in ordinary text too: masking them would spoil it. */
export const SHORTEST_SECRET = 8

/** Throws a `TaoError` for a value that is too short to be masked. */
export function expectMaskable({ name, value }: Secret): void {
  if (value.length >= SHORTEST_SECRET) return
  throw new TaoError(
    'secret',
    `The secret ${name} has fewer than ${SHORTEST_SECRET} characters: masking it would spoil ordinary text.`,
    { fix: 'Use a longer one, or do not name it as a secret.' },
  )
}

/**
 * Masks every form of every secret as `[secret:NAME]`, in time that grows with the text alone. Undefined where there is
 * nothing to mask: then nothing is looked through. Throws a `TaoError` for a secret that is too short.
 */
export function maskerFor(secrets: readonly Secret[]): Masker | undefined {
  secrets.forEach(expectMaskable)
  const names = new Map<string, string>()
  for (const { name, value } of secrets)
    for (const form of secretForms(value)) if (!names.has(form)) names.set(form, name)
  if (names.size === 0) return undefined
  const forms = new Forms(names)
  const maskText = (text: string): string => forms.mask(text)
  return {
    mask: <T>(value: T): T => maskIn(value, maskText) as T,
    openStream: () => openStream(forms),
  }
}

/** All forms of all secrets, ready to be found. */
class Forms {
  readonly #names: ReadonlyMap<string, string>
  readonly #pattern: RegExp
  readonly #byFirst = new Map<string, string[]>()
  readonly #longest: number

  constructor(names: ReadonlyMap<string, string>) {
    const longestFirst = [...names.keys()].sort((a, b) => b.length - a.length)
    this.#names = names
    this.#longest = longestFirst[0]?.length ?? 0
    this.#pattern = new RegExp(
      longestFirst.map((form) => form.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&')).join('|'),
      'g',
    )
    for (const form of longestFirst) {
      const first = form.charAt(0)
      this.#byFirst.set(first, [...(this.#byFirst.get(first) ?? []), form])
    }
  }

  mask(text: string): string {
    return text.replaceAll(this.#pattern, (form) => this.markerOf(form))
  }

  markerOf(form: string): string {
    return `[secret:${this.#names.get(form)}]`
  }

  findFrom(text: string, at: number): RegExpExecArray | null {
    this.#pattern.lastIndex = at
    return this.#pattern.exec(text)
  }

  /** Where the end of the text begins that may be the beginning of a form; its length when there is none. */
  beginningIn(text: string, from: number): number {
    for (let at = Math.max(from, text.length - this.#longest + 1); at < text.length; at++) {
      const rest = text.slice(at)
      const isBegun = (form: string): boolean => form.length > rest.length && form.startsWith(rest)
      if (this.#byFirst.get(text.charAt(at))?.some(isBegun)) return at
    }
    return text.length
  }
}

function openStream(forms: Forms): MaskedStream {
  let held = ''
  return {
    push(piece) {
      const text = held + piece
      let [shown, at] = ['', 0]
      for (;;) {
        const open = forms.beginningIn(text, at)
        const found = forms.findFrom(text, at)
        if (found === null || found.index >= open) {
          held = text.slice(open)
          return shown + text.slice(at, open)
        }
        shown += text.slice(at, found.index) + forms.markerOf(found[0])
        at = found.index + found[0].length
      }
    },
    end() {
      const rest = forms.mask(held)
      held = ''
      return rest
    },
  }
}

/** Data is made anew only where something in it was masked; what is no plain data is left alone. */
function maskIn(value: unknown, maskText: (text: string) => string): unknown {
  if (typeof value === 'string') return maskText(value)
  if (Array.isArray(value)) {
    const items = value.map((item) => maskIn(item, maskText))
    return items.every((item, at) => item === value[at]) ? value : items
  }
  if (!isPlain(value)) return value
  let isChanged = false
  const entries = Object.entries(value).map(([key, inner]) => {
    const entry = [maskText(key), maskIn(inner, maskText)] as const
    isChanged ||= entry[0] !== key || entry[1] !== inner
    return entry
  })
  return isChanged ? Object.fromEntries(entries) : value
}

function isPlain(value: unknown): value is object {
  if (typeof value !== 'object' || value === null) return false
  const prototype: unknown = Object.getPrototypeOf(value)
  return prototype === Object.prototype || prototype === null
}

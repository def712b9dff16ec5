import { type Span, spanOf } from './text.ts'

export interface WrittenLink extends Span {
  readonly text: string
}

const LINK = /\b(?:https?:\/\/|www\.)[^\s<>"'`\]}|\\^«»“”„]+/giu

/** Every address of a text, without what closes the sentence. */
export function linksIn(text: string): WrittenLink[] {
  return Array.from(text.matchAll(LINK), (match) => {
    const address = trimEnd(match[0])
    const { start } = spanOf(match)
    return { start, end: start + address.length, text: address }
  })
}

/** Says of an address whether the sources have exactly it. A longer or shorter one is another one. */
export function knownLinks(sources: readonly string[]): (written: WrittenLink) => boolean {
  const known = new Set(sources.flatMap(linksIn).map(({ text }) => bare(text)))
  return ({ text }) => known.has(bare(text))
}

function trimEnd(address: string): string {
  const trimmed = address.replace(/[.,;:!?*_]+$/u, '')
  const isClosed = trimmed.endsWith(')') && !trimmed.includes('(')
  return isClosed ? trimEnd(trimmed.slice(0, -1)) : trimmed
}

/** The name of a host is written in any case, and a slash at the end says nothing. */
function bare(address: string): string {
  const [, scheme = '', host = '', rest = ''] = /^(https?:\/\/)?([^/?#]*)(.*)$/isu.exec(address) ?? []
  return `${scheme.toLowerCase()}${host.toLowerCase()}${rest.replace(/\/$/, '')}`
}

import type { Supported } from '../core/outcome.ts'
import type { RunRecord } from './criterion.ts'
import { type Claimed, groundingOf } from './grounded/claims.ts'

/** Characters of results that are looked through, the newest first: a long run ends as fast as a short one. */
const MOST_CHARACTERS = 2_000_000

/**
 * The sentences of an answer that tell something a result has: a number, date, identifier, quotation or link. Each with the
 * newest events that have it. A sentence that is not named here may be right, but nothing in the record says so.
 */
export function supportOf(answer: string, { calls }: Pick<RunRecord, 'calls'>): readonly Supported[] {
  const sources = new Map<string, number>()
  let [open, left] = [groundingOf(answer, []), MOST_CHARACTERS]
  for (const { seq, observation } of calls.toReversed()) {
    left -= observation.length
    if (open.length === 0 || left < 0) break
    const found = new Set(groundingOf(answer, [observation]).flatMap((each) => (each.isGrounded ? [keyOf(each)] : [])))
    for (const each of open) if (found.has(keyOf(each))) sources.set(keyOf(each), seq)
    open = open.filter((each) => !found.has(keyOf(each)))
  }
  return sources.size === 0 ? [] : bySentence(answer, sources)
}

const keyOf = ({ start, end }: Pick<Claimed, 'start' | 'end'>): string => `${start}-${end}`

function bySentence(answer: string, sources: ReadonlyMap<string, number>): readonly Supported[] {
  const sentences = [...new Intl.Segmenter('und', { granularity: 'sentence' }).segment(answer)]
  return sentences.flatMap(({ segment, index }) => {
    const from = [...sources].flatMap(([key, seq]) => {
      const start = Number.parseInt(key, 10)
      return index <= start && start < index + segment.length ? [seq] : []
    })
    if (from.length === 0) return []
    return [{ sentence: segment.trim(), from: [...new Set(from)].sort((a, b) => a - b) }]
  })
}

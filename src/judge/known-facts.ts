import { oneLine } from '../core/clip.ts'
import type { KnownFact } from '../core/known-fact.ts'

/*
 * What is known from results so far. How facts are found in results is in facts.ts, which only runs that declare some load.
 */

/** A newer result of the same source takes the place of the older one. */
export const addFact = (known: readonly KnownFact[], added: KnownFact): readonly KnownFact[] => [
  ...known.filter(({ fact, source }) => fact !== added.fact || source !== added.source),
  added,
]

export type FactStanding =
  | { readonly state: 'missing' }
  | { readonly state: 'known'; readonly known: KnownFact }
  | { readonly state: 'conflict'; readonly sides: readonly KnownFact[] }

/** Sources that disagree leave a fact unknown. Of those that agree, the newest is the proof. */
export function factNamed(name: string, facts: readonly KnownFact[]): FactStanding {
  const sides = facts.filter(({ fact }) => fact === name)
  const newest = sides.reduce<KnownFact | undefined>((a, b) => (a === undefined || b.from > a.from ? b : a), undefined)
  if (newest === undefined) return { state: 'missing' }
  if (sides.every(({ value }) => value === newest.value)) return { state: 'known', known: newest }
  return { state: 'conflict', sides }
}

/** For people: what the model is told of a fact. */
export const describeFact = ({ fact, value, source }: KnownFact): string =>
  `${fact} = ${JSON.stringify(value)} (from ${oneLine(source, 120)})`

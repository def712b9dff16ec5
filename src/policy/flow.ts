import type { Effect } from '../core/call.ts'
import type { Mark } from '../core/mark.ts'

/** Which arguments must come from the user's words or from an operator's list before a call may run without asking. */
export type Anchoring = 'nothing' | 'sinks' | 'everything'

const STRICTNESS: readonly Anchoring[] = ['nothing', 'sinks', 'everything']

interface Row {
  readonly unmarked: Anchoring
  readonly private: Anchoring
  /** Whether or not something private was read as well: what a marked run sends out counts as private. */
  readonly untrusted: Anchoring
}

/** The whole rule. */
const TABLE: Readonly<Record<Effect, Row>> = {
  read: { unmarked: 'nothing', private: 'nothing', untrusted: 'nothing' },
  write: { unmarked: 'nothing', private: 'nothing', untrusted: 'everything' },
  egress: { unmarked: 'nothing', private: 'sinks', untrusted: 'everything' },
  irreversible: { unmarked: 'sinks', private: 'sinks', untrusted: 'everything' },
}

/** The strictest row of the effects. No effect at all counts as the most severe one: nobody has said what the call does. */
export function neededAnchoring(effects: readonly Effect[], marks: readonly Mark[]): Anchoring {
  const column = marks.includes('untrusted') ? 'untrusted' : marks.includes('private') ? 'private' : 'unmarked'
  const rows: readonly Effect[] = effects.length === 0 ? ['irreversible'] : effects
  return rows.map((effect) => TABLE[effect][column]).reduce(stricter)
}

const stricter = (a: Anchoring, b: Anchoring): Anchoring => (STRICTNESS.indexOf(a) >= STRICTNESS.indexOf(b) ? a : b)

import { TaoError } from '../core/error.ts'
import type { KnownFact } from '../core/known-fact.ts'
import { didYouMean } from '../core/nearest.ts'
import { fillTemplate, placeholdersIn } from '../core/template.ts'
import { factNamed } from './known-facts.ts'

export type FactAnswer =
  | { readonly ok: true; readonly answer: string }
  /** The facts it needs that are not known. */
  | { readonly ok: false; readonly missing: readonly string[] }

/** Puts what is known where `{{fact}}` stands. Nothing a model said can enter an answer that is made like this. */
export function answerFrom(template: string, facts: readonly KnownFact[]): FactAnswer {
  const standings = [...new Set(placeholdersIn(template))].map((name) => ({ name, ...factNamed(name, facts) }))
  const missing = standings.filter(({ state }) => state !== 'known').map(({ name }) => name)
  if (missing.length > 0) return { ok: false, missing }
  const values = standings.map((each) => [each.name, each.state === 'known' ? String(each.known.value) : ''] as const)
  return { ok: true, answer: fillTemplate(template, Object.fromEntries(values)) }
}

/** Throws a `TaoError` for a template that names no fact, or one that is not declared. */
export function expectFacts(template: string, declared: readonly string[]): void {
  const names = placeholdersIn(template)
  if (names.length === 0)
    throw new TaoError('fact', 'The answer template names no fact.', { fix: 'Write {{name}} where a fact belongs.' })
  const unknown = names.find((name) => !declared.includes(name))
  if (unknown === undefined) return
  throw new TaoError('fact', `The answer template names the fact "${unknown}". ${didYouMean(unknown, declared)}`, {
    fix: 'Declare it under "facts:".',
  })
}

import type { JsonObject } from '../../core/json.ts'
import { isCorrect, type Scored } from './score.ts'
import { meanKnown } from './shares.ts'

/** One item and all its rollouts. */
export interface ScoredItem {
  readonly id: string
  readonly question: string
  readonly fields: JsonObject
  /** In the order of their rollouts. */
  readonly attempts: readonly Scored[]
  readonly correct: number
  /** Means over its rollouts; undefined where nothing is known. */
  readonly cost: number | undefined
  readonly turns: number | undefined
}

/** Items in the order in which they first appear. */
export function itemsOf(scored: readonly Scored[]): ScoredItem[] {
  const byId = Map.groupBy(scored, ({ id }) => id)
  return Array.from(byId, ([id, unordered]) => {
    const attempts = unordered.toSorted((a, b) => a.rollout - b.rollout)
    const [{ question, fields } = { question: '', fields: {} }] = attempts
    return {
      ...{ id, question, fields, attempts },
      correct: attempts.filter(isCorrect).length,
      cost: meanKnown(attempts.map(({ figures }) => figures.cost)),
      turns: meanKnown(attempts.map(({ figures }) => figures.turns)),
    }
  })
}

/** Fields by which datasets commonly part their items; the first that is there is used. */
const CATEGORY_FIELDS = ['category', 'level', 'Level', 'type', 'subject', 'topic', 'domain']

/** Throws nothing: a field that no item has parts nothing. */
export function categoryField(items: readonly ScoredItem[], wished: string | undefined): string | undefined {
  const isThere = (field: string): boolean => items.some(({ fields }) => Object.hasOwn(fields, field))
  return wished ?? CATEGORY_FIELDS.find(isThere)
}

export function categoryOf({ fields }: Pick<ScoredItem, 'fields'>, field: string): string {
  const value = Object.hasOwn(fields, field) ? fields[field] : undefined
  if (value === undefined || value === null || value === '') return 'none'
  return typeof value === 'string' ? value : JSON.stringify(value)
}

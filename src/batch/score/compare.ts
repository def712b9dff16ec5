import { itemsOf, type ScoredItem } from './items.ts'
import type { Judging } from './score.ts'
import { holm, mean, signTest } from './shares.ts'

/** Two result sets, item by item: what the second is against the first. It stands in `comparison.json`. */
export interface Comparison {
  readonly formatVersion: 1
  /** Names of the two, for people. */
  readonly first: string
  readonly second: string
  readonly wins: number
  readonly losses: number
  readonly ties: number
  /** Of the two-sided exact sign test over wins and losses: how often chance alone would part them so far. */
  readonly p: number
  /** `p` as Holm raises it where several sets are compared with one first: the more tries, the likelier a lucky one. */
  readonly adjustedP?: number
  /** Mean share of correct rollouts over the paired items, from 0 to 1; absent when there are none. */
  readonly scores?: { readonly first: number; readonly second: number }
  /** Items that only one of them has: they are compared with nothing. */
  readonly onlyFirst: number
  readonly onlySecond: number
  /** Items of both of which some attempt was not judged: they are compared with nothing either. */
  readonly notJudged: number
  /** Those that differ first, then in the order of the second. */
  readonly items: readonly ComparedItem[]
}

export interface ComparedItem {
  readonly id: string
  readonly question: string
  /** Shares of correct rollouts. */
  readonly first: number
  readonly second: number
  readonly result: 'win' | 'loss' | 'tie'
}

/** A judged result set and its name, for people. */
export interface ComparedSet extends Judging {
  readonly name: string
}

/** Each of the others against the first, in their order. */
export function compareAll(first: ComparedSet, others: readonly ComparedSet[]): Comparison[] {
  const comparisons = others.map((other) => compare(first, other))
  if (comparisons.length < 2) return comparisons
  const adjusted = holm(comparisons.map(({ p }) => p))
  return comparisons.map((comparison, at) => ({ ...comparison, adjustedP: adjusted[at] ?? 1 }))
}

/** An item is won when more of its rollouts are right in the second set, in relation to how many there are. */
export function compare(first: ComparedSet, second: ComparedSet): Comparison {
  const [before, after] = [namesIn(first), namesIn(second)]
  const nameOf = onlyIn(after, before, idOf) < after.length ? idOf : questionOf
  const open = new Set([...first.left, ...second.left].map(nameOf))
  const known = new Map(itemsOf(first.scored).map((item) => [nameOf(item), item]))
  const items = itemsOf(second.scored).flatMap((item) => {
    const other = known.get(nameOf(item))
    return other === undefined || open.has(nameOf(item)) ? [] : compared(other, item)
  })
  const [onlyFirst, onlySecond] = [onlyIn(before, after, nameOf), onlyIn(after, before, nameOf)]
  const count = (wanted: ComparedItem['result']): number => items.filter(({ result }) => result === wanted).length
  const [wins, losses, ties] = [count('win'), count('loss'), count('tie')]
  const means = [mean(items.map((each) => each.first)), mean(items.map((each) => each.second))] as const
  return {
    ...{ formatVersion: 1, first: first.name, second: second.name, wins, losses, ties, p: signTest(wins, losses) },
    ...(means[0] === undefined || means[1] === undefined ? {} : { scores: { first: means[0], second: means[1] } }),
    ...{ onlyFirst, onlySecond, notJudged: after.length - onlySecond - items.length },
    items: items.toSorted((a, b) => Number(a.result === 'tie') - Number(b.result === 'tie')),
  }
}

type Named = Pick<ScoredItem, 'id' | 'question'>

/** All items, those that were not judged included. */
const namesIn = ({ scored, left }: Judging): Named[] => [
  ...new Map([...scored, ...left].map((attempt) => [attempt.id, attempt])).values(),
]

const idOf = ({ id }: Named): string => id
/** Sets of which one was written by the original have no ids in common. */
const questionOf = ({ question }: Named): string => question.trim()

function onlyIn(own: readonly Named[], others: readonly Named[], nameOf: (item: Named) => string): number {
  const names = new Set(others.map(nameOf))
  return own.filter((item) => !names.has(nameOf(item))).length
}

function compared(before: ScoredItem, after: ScoredItem): ComparedItem {
  const [first, second] = [shareIn(before), shareIn(after)]
  const result = second > first ? 'win' : second < first ? 'loss' : 'tie'
  return { id: after.id, question: after.question, first, second, result }
}

const shareIn = ({ correct, attempts }: ScoredItem): number => correct / attempts.length

import { itemsOf, type ScoredItem } from './items.ts'
import type { Scored } from './score.ts'
import { mean, signTest } from './shares.ts'

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
  /** Mean share of correct rollouts over the paired items; absent when there are none. */
  readonly scores?: { readonly first: number; readonly second: number }
  /** Items that only one of them has: they are compared with nothing. */
  readonly onlyFirst: number
  readonly onlySecond: number
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

export interface ComparedSet {
  readonly name: string
  readonly scored: readonly Scored[]
}

/** An item is won when more of its rollouts are right in the second set, in relation to how many there are. */
export function compare(first: ComparedSet, second: ComparedSet): Comparison {
  const [before, after] = [itemsOf(first.scored), itemsOf(second.scored)]
  const nameOf = before.some(({ id }) => after.some((each) => each.id === id)) ? idOf : questionOf
  const known = new Map(before.map((item) => [nameOf(item), item]))
  const paired = new Set<ScoredItem>()
  const items = after.flatMap((item) => {
    const other = known.get(nameOf(item))
    if (other === undefined) return []
    paired.add(other)
    return compared(other, item)
  })
  const count = (wanted: ComparedItem['result']): number => items.filter(({ result }) => result === wanted).length
  const [wins, losses, ties] = [count('win'), count('loss'), count('tie')]
  const means = [mean(items.map((each) => each.first)), mean(items.map((each) => each.second))] as const
  return {
    ...{ formatVersion: 1, first: first.name, second: second.name, wins, losses, ties, p: signTest(wins, losses) },
    ...(means[0] === undefined || means[1] === undefined ? {} : { scores: { first: means[0], second: means[1] } }),
    ...{ onlyFirst: before.length - paired.size, onlySecond: after.length - items.length },
    items: items.toSorted((a, b) => Number(a.result === 'tie') - Number(b.result === 'tie')),
  }
}

const idOf = ({ id }: ScoredItem): string => id
/** Sets of which one was written by the original have no ids in common. */
const questionOf = ({ question }: ScoredItem): string => question.trim()

function compared(before: ScoredItem, after: ScoredItem): ComparedItem {
  const [first, second] = [shareIn(before), shareIn(after)]
  const result = second > first ? 'win' : second < first ? 'loss' : 'tie'
  return { id: after.id, question: after.question, first, second, result }
}

const shareIn = ({ correct, attempts }: ScoredItem): number => correct / attempts.length

import { callKinds } from './figures.ts'
import type { Scored } from './score.ts'
import { mean, meanKnown } from './shares.ts'

/** Means over rollouts of the means over attempts, as Alibaba's DeepResearch has them; absent of nothing, and of what is not known. */
export interface Statistics {
  readonly attempts: number
  /** Attempts whose last message has no whole answer in tags, of all rollouts together. */
  readonly invalid: number
  /** Attempts whose whole transcript has more than 30,000 tokens, by estimate. */
  readonly extraLong: number
  readonly turns?: number
  readonly toolCalls?: number
  readonly searches?: number
  readonly visits?: number
  readonly otherCalls?: number
  readonly answerCharacters?: number
  /** Of one message of the model. */
  readonly messageCharacters?: number
  /** Of the model, by estimate: in one attempt, and in one of its messages. */
  readonly assistantTokens?: number
  readonly tokensPerMessage?: number
  /** As the service counted them. */
  readonly inputTokens?: number
  readonly outputTokens?: number
  /** US dollars. */
  readonly cost?: number
  readonly durationMs?: number
  /** How often each tool was called in one attempt. */
  readonly tools: Readonly<Record<string, number>>
}

const EXTRA_LONG_TOKENS = 30_000

export function statisticsOf(attempts: readonly Scored[]): Statistics {
  const rounds = [...Map.groupBy(attempts, ({ rollout }) => rollout).values()]
  const over = (read: (attempt: Scored) => number | undefined): number | undefined =>
    meanKnown(rounds.map((round) => meanKnown(round.map(read))))
  const means = {
    turns: over(({ figures }) => figures.turns),
    toolCalls: over(({ figures }) => callKinds(figures).all),
    searches: over(({ figures }) => callKinds(figures).search),
    visits: over(({ figures }) => callKinds(figures).visit),
    otherCalls: over(({ figures }) => callKinds(figures).other),
    answerCharacters: over(({ figures }) => figures.answerCharacters),
    messageCharacters: over(({ figures }) => figures.messageCharacters),
    assistantTokens: over(({ figures }) => figures.assistantTokens),
    tokensPerMessage: meanKnown(rounds.map(tokensPerMessage)),
    inputTokens: over(({ figures }) => figures.inputTokens),
    outputTokens: over(({ figures }) => figures.outputTokens),
    cost: over(({ figures }) => figures.cost),
    durationMs: over(({ figures }) => figures.durationMs),
  }
  return {
    attempts: attempts.length,
    invalid: attempts.filter(({ figures }) => figures.isInvalid).length,
    extraLong: attempts.filter(({ figures }) => figures.transcriptTokens > EXTRA_LONG_TOKENS).length,
    ...known(means),
    tools: toolMeans(attempts),
  }
}

/** Undefined where the model said nothing. */
function tokensPerMessage(attempts: readonly Scored[]): number | undefined {
  const messages = attempts.reduce((sum, { figures }) => sum + figures.modelMessages, 0)
  return messages === 0 ? undefined : attempts.reduce((sum, { figures }) => sum + figures.assistantTokens, 0) / messages
}

/** What is undefined is left out. */
const known = <K extends string>(values: Readonly<Record<K, number | undefined>>): Partial<Record<K, number>> =>
  Object.fromEntries(Object.entries(values).filter(([, value]) => value !== undefined)) as Partial<Record<K, number>>

function toolMeans(attempts: readonly Scored[]): Readonly<Record<string, number>> {
  const names = new Set(attempts.flatMap(({ figures }) => Object.keys(figures.tools)))
  return Object.fromEntries(
    [...names].sort().map((name) => [name, mean(attempts.map(({ figures }) => figures.tools[name] ?? 0)) ?? 0]),
  )
}

/** How often each text occurs, as a count; the most frequent first. */
export function countsOf(texts: readonly string[]): Readonly<Record<string, number>> {
  const counts = Array.from(
    Map.groupBy(texts, (text) => text),
    ([text, all]) => [text, all.length] as const,
  )
  return Object.fromEntries(counts.toSorted(([a, n], [b, m]) => m - n || (a < b ? -1 : 1)))
}

import type { Effect, ToolCall } from '../core/call.ts'
import type { RunStarted } from '../core/event.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Message } from '../core/message.ts'
import type { Evidence, Outcome } from '../core/outcome.ts'
import { NO_USAGE, type Usage } from '../core/usage.ts'

/**
 * What the events so far add up to. `evolve` folds each event into it in place, so that a step costs the same at step 10
 * and at step 1,000; nobody else writes to it.
 */
export interface State {
  /** The sequence number of the next event. */
  seq: number
  started: RunStarted | undefined
  messages: Message[]
  /** Every call id of the run. */
  ids: Set<string>
  /** The calls of the last reply, until all are answered. */
  calls: OpenCall[]
  step: number
  claim: string | undefined
  /** The last answer that was claimed, accepted or not. */
  answer: string | undefined
  accepted: boolean
  evidence: readonly Evidence[]
  counts: Counts
  usage: Usage
  /** A guess at the tokens of the next request. */
  contextTokens: number
  repeats: Repeats
  /** The sequence number of the last event that may have changed the workspace; -1 for none. */
  lastChange: number
  limit: FiredLimit | undefined
  lastAnswer: 'not asked' | 'due' | 'asked'
  failure: Trouble | undefined
  blocked: Trouble | undefined
  cancelledBy: string | undefined
  startedAt: number
  now: number
  outcome: Outcome | undefined
}

export interface OpenCall {
  readonly call: ToolCall
  stage: 'asked' | 'cleared' | 'started' | 'answered'
  effects: readonly Effect[]
  observation: string
}

export interface Counts {
  modelCalls: number
  toolCalls: number
  malformedReplies: number
  rejectedClaims: number
  refusals: number
}

/** How often each call gave the same result: those that changed files, and all others since the last change of a file. */
export interface Repeats {
  readonly changing: Map<string, number>
  readonly others: Map<string, number>
  most: number
  warned: boolean
}

export interface Trouble {
  readonly reason: string
  readonly fix?: string
}

export function emptyState(): State {
  return {
    seq: 0,
    started: undefined,
    messages: [],
    ids: new Set(),
    calls: [],
    step: 0,
    claim: undefined,
    answer: undefined,
    accepted: false,
    evidence: [],
    counts: { modelCalls: 0, toolCalls: 0, malformedReplies: 0, rejectedClaims: 0, refusals: 0 },
    usage: NO_USAGE,
    contextTokens: 0,
    repeats: { changing: new Map(), others: new Map(), most: 0, warned: false },
    lastChange: -1,
    limit: undefined,
    lastAnswer: 'not asked',
    failure: undefined,
    blocked: undefined,
    cancelledBy: undefined,
    startedAt: 0,
    now: 0,
    outcome: undefined,
  }
}

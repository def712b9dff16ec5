import type { ApprovalGiven, CallParked } from '../core/approval.ts'
import type { Effect, ToolCall } from '../core/call.ts'
import type { RunStarted, Stamp } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { KnownFact } from '../core/known-fact.ts'
import type { FiredLimit } from '../core/limits.ts'
import type { Mark } from '../core/mark.ts'
import type { Message } from '../core/message.ts'
import type { Evidence, Outcome } from '../core/outcome.ts'
import type { SnapshotFile } from '../core/snapshot.ts'
import { NO_USAGE, type Usage } from '../core/usage.ts'
import type { UserWords } from '../core/words.ts'

/**
 * What the events so far add up to. `evolve` folds each event into it in place, so that a step costs the same at step 10
 * and at step 1,000; nobody else writes to it.
 */
export interface State {
  /** The sequence number of the next event. */
  seq: number
  started: RunStarted | undefined
  messages: Message[]
  /** How many of the messages the last request held. */
  asked: number
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
  /** The last claim that was sent back, and how much had been observed and said by then. */
  rejected: { readonly answer: string; readonly heard: number } | undefined
  /** What was found before the first step; undefined before anything was checked. */
  evidenceAtStart: readonly Evidence[] | undefined
  /** How much had been observed and said when the criteria were last checked; undefined before they were. */
  checkedAt: number | undefined
  /** The calls that ran and have ended, in their order. */
  ended: EndedCall[]
  facts: readonly KnownFact[]
  /** What comes after the answers to the calls that are open: nothing may stand between those. */
  waiting: Message[]
  /** What the user said, and what the run has read: what a decision depends on beside the call. */
  words: UserWords[]
  marks: Mark[]
  counts: Counts
  usage: Usage
  /** A guess at the tokens of the next request. */
  contextTokens: number
  repeats: Repeats
  /** What differed in the working copy at the last snapshot from what it was at the start, by path. */
  files: Map<string, SnapshotFile>
  /** The sequence number of the last event that may have changed the workspace; -1 for none. */
  lastChange: number
  limit: FiredLimit | undefined
  lastAnswer: 'not asked' | 'due' | 'asked'
  failure: Trouble | undefined
  blocked: Trouble | undefined
  cancelledBy: string | undefined
  /** True while the run rests until a person answers. */
  parked: boolean
  /** Since when a call has waited for a person; that time is not working time. */
  waitingSince: number | undefined
  /** Moved on by the time that nobody worked. */
  startedAt: number
  now: number
  /** The time of the event before the last one. */
  before: number
  outcome: Outcome | undefined
}

export interface OpenCall {
  readonly call: ToolCall
  stage: 'asked' | 'parked' | 'cleared' | 'started' | 'answered'
  effects: readonly Effect[]
  observation: string
  /** What a person was asked, and where in the journal. */
  parked?: CallParked & Stamp
  approval?: ApprovalGiven & Stamp
  /** What its tool found at the place that it may change, before it acted. */
  before?: string
  /** True when the policy that let it start is not that of now. */
  isOfOldPolicy?: boolean
}

/** A call that ran, and the event that holds its result. */
export interface EndedCall {
  readonly call: ToolCall
  readonly step: number
  readonly seq: number
  readonly ok: boolean
  readonly exit?: number
  readonly observation: string
  /** What it was given, where a person changed what the model asked for. */
  readonly edited?: JsonObject
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

/** Grows with each call that ended and each word of the user: while it stays, nothing new can be found. */
export const heard = ({ ended, words }: State): number => ended.length + words.length

export function emptyState(): State {
  return {
    seq: 0,
    started: undefined,
    messages: [],
    asked: 0,
    ids: new Set(),
    calls: [],
    step: 0,
    claim: undefined,
    answer: undefined,
    accepted: false,
    evidence: [],
    rejected: undefined,
    evidenceAtStart: undefined,
    checkedAt: undefined,
    ended: [],
    facts: [],
    waiting: [],
    words: [],
    marks: [],
    counts: { modelCalls: 0, toolCalls: 0, malformedReplies: 0, rejectedClaims: 0, refusals: 0 },
    usage: NO_USAGE,
    contextTokens: 0,
    repeats: { changing: new Map(), others: new Map(), most: 0, warned: false },
    files: new Map(),
    lastChange: -1,
    limit: undefined,
    lastAnswer: 'not asked',
    failure: undefined,
    blocked: undefined,
    cancelledBy: undefined,
    parked: false,
    waitingSince: undefined,
    startedAt: 0,
    now: 0,
    before: 0,
    outcome: undefined,
  }
}

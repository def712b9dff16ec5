import type { RunResumed } from '../core/approval.ts'
import type { CheckFinished } from '../core/claim.ts'
import type { Event, Fact, Stamp } from '../core/event.ts'
import type { ModelReplied } from '../core/exchange.ts'
import type { Evidence } from '../core/outcome.ts'
import type { ToolChoice } from '../core/request.ts'
import { stageFor } from './advance.ts'
import { factsOfReply } from './ask.ts'
import { openConversation, requestHead } from './conversation.ts'
import { type Difference, Divergence, findDifference } from './difference.ts'
import { evolve } from './evolve.ts'
import { settleClaim } from './judge.ts'
import { nextMove } from './next.ts'
import { partsAtRest } from './parts-at-rest.ts'
import { readFacts } from './read-facts.ts'
import { recordedReply } from './recorded-reply.ts'
import { whatChanged } from './resume.ts'
import type { Parts, Run } from './run.ts'
import { describeStart, type RunSpec } from './start.ts'
import { emptyState } from './state.ts'

export interface Replay {
  /** Events that were looked at. */
  readonly events: number
  readonly requests: number
  readonly difference?: Difference
}

export interface ReplayOptions {
  readonly spec: RunSpec
  readonly events: readonly Event[]
  /** Those of today. No model is asked, no tool run and no criterion checked. */
  readonly parts: Parts
  /** What the run works with from an event on with which it went on otherwise. Default: the same parts. */
  readonly partsFrom?: (resumed: Stamp & RunResumed) => Promise<Parts>
}

/**
 * Drives a run again from its journal, with no model and no tool. What came from outside (replies, results, findings, answers
 * of people) is taken as recorded; everything that Tao made of it is made again and compared: every request byte for byte,
 * every reading of a reply, every decision, every verdict, the end.
 */
export async function replay(options: ReplayOptions): Promise<Replay> {
  const player = new Player(options)
  try {
    while (!player.isOver) await player.playOn()
    return player.count
  } catch (error) {
    if (!(error instanceof Divergence)) throw error
    return { ...player.count, difference: error.difference }
  }
}

class Player {
  #run: Run
  #toolChoice: ToolChoice = 'auto'
  #requests = 0
  readonly #options: ReplayOptions

  constructor(options: ReplayOptions) {
    this.#options = options
    const parts = partsAtRest(options.parts, () => this.#next)
    const state = emptyState()
    for (const event of options.events.slice(0, copiedEvents(options.events))) evolve(state, event)
    const head = state.started?.head ?? requestHead(options.spec, parts)
    const asked = state.messages.slice(0, state.asked)
    this.#run = { id: options.spec.id, state, parts, ...openConversation(head, asked, parts) }
  }

  get #next(): Event | undefined {
    return this.#options.events[this.#run?.state.seq ?? 0]
  }

  get isOver(): boolean {
    return this.#next === undefined
  }

  get count() {
    return { events: this.#run.state.seq, requests: this.#requests }
  }

  /** Up to the next thing that comes from outside. */
  async playOn(): Promise<void> {
    const next = this.#next
    if (next === undefined) return
    if (next.seq === 0) this.#expect(describeStart(this.#options.spec, this.#run.parts))
    else if (this.#isGiven(next)) await this.#take(next)
    else if (next.kind === 'claim.accepted' || next.kind === 'claim.rejected') this.#expect(this.#settle())
    else await this.#move(next)
  }

  /** Makes the move that is due, as far as it needs nobody. */
  async #move(next: Event): Promise<void> {
    const move = nextMove(this.#run.state)
    if (move.do === 'ask') this.#toolChoice = move.toolChoice
    const before = this.#run.state.seq
    for await (const fact of stageFor(this.#run, move, NEVER)) {
      this.#expect(fact)
      if (this.#next === undefined || this.#isGiven(this.#next)) return
    }
    if (this.#run.state.seq === before) throw new Divergence(next, 'kind', { recorded: next.kind, now: move.do })
  }

  /** Compares what would be recorded now with what was; the record goes on as it was. */
  #expect(fact: Fact): void {
    const next = this.#next
    if (next === undefined) return
    const difference = findDifference(next, this.#run.parts.masker?.mask(fact) ?? fact)
    if (difference !== undefined) throw new Divergence(next, ...difference)
    if (next.kind === 'request.sent') this.#requests += 1
    evolve(this.#run.state, next)
  }

  async #take(next: Event): Promise<void> {
    if (next.kind === 'model.replied') return this.#readReply(next)
    if (next.kind === 'run.resumed') return this.#reopen(next)
    evolve(this.#run.state, next)
    if (next.kind === 'call.finished') for (const fact of readFacts(this.#run)) this.#expect(fact)
  }

  async #readReply(next: Stamp & ModelReplied): Promise<void> {
    const reply = recordedReply(next, this.#options.events)
    const heard = { step: next.step, reply, toolChoice: this.#toolChoice }
    for await (const fact of factsOfReply(this.#run, heard)) this.#expect(fact)
  }

  /** Why it goes on, and what was said, is given; what was made anew for that is made again. */
  async #reopen(next: Stamp & RunResumed): Promise<void> {
    const { spec, partsFrom } = this.#options
    const { started } = this.#run.state
    if (started === undefined) throw new Error('A run starts with run.started.')
    const opened = await partsFrom?.(next)
    const parts = opened === undefined ? this.#run.parts : partsAtRest(opened, () => this.#next)
    const run = { ...this.#run, parts }
    const { reason, limits, request, observation } = next
    const given = { kind: next.kind, reason, limits, request, observation } as RunResumed
    this.#expect({ ...given, ...whatChanged(run, started, spec) })
    const isAnew = next.head !== undefined || next.model !== undefined
    const head = next.head ?? started.head
    this.#run = isAnew ? { ...run, ...openConversation(head, [], parts) } : run
  }

  /** What the findings on record come to. */
  #settle(): Fact {
    const { events } = this.#options
    const { seq, claim = '' } = this.#run.state
    const made = events.findLastIndex((event, at) => at < seq && event.kind === 'claim.made')
    const evidence = events
      .slice(made, seq)
      .flatMap((event) => (event.kind === 'check.finished' ? [evidenceIn(event)] : []))
    return settleClaim(this.#run, claim, evidence)
  }

  #isGiven(event: Event): boolean {
    if (GIVEN.has(event.kind)) return true
    if (event.kind === 'call.refused') return event.cause === 'superseded'
    // Out of time while the model was asked; every other limit is found by looking at the state.
    return event.kind === 'limit.reached' && this.#options.events[event.seq - 1]?.kind === 'request.sent'
  }
}

/** What a fork has from the run it comes from. There it is driven again, with what that run worked with. */
function copiedEvents([started]: readonly Event[]): number {
  return started?.kind === 'run.started' ? (started.parent?.events ?? 0) : 0
}

/** What comes from outside the loop, or is measured. */
const GIVEN: ReadonlySet<Event['kind']> = new Set([
  ...([
    'model.replied',
    'model.failed',
    'call.finished',
    'check.finished',
    'start.checked',
    'end.checked',
    'mark.added',
    'files.changed',
  ] as const),
  ...(['approval.given', 'approval.denied', 'approval.expired', 'approval.superseded'] as const),
  ...(['user.said', 'cancel.requested', 'run.resumed', 'run.blocked'] as const),
])

const NEVER = new AbortController().signal

function evidenceIn({ criterion, holds, detail, doubt, heldBefore }: CheckFinished): Evidence {
  return {
    ...{ criterion, holds, detail },
    ...(doubt === undefined ? {} : { doubt }),
    ...(heldBefore === undefined ? {} : { heldBefore }),
  }
}

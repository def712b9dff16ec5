import type { CallParked } from '../core/approval.ts'
import type { Clock } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Delta, RequestHead, ToolDefinition, WireMessage } from '../core/request.ts'
import type { Masker } from '../core/secrets.ts'
import type { Worker } from '../core/worker.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Criterion } from '../judge/criterion.ts'
import type { DeclaredFacts } from '../judge/facts.ts'
import type { Model, RequestBody, Retry } from '../model/model.ts'
import type { Session } from '../policy/fit.ts'
import type { Policy } from '../policy/schema.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Tool } from '../tools/tool.ts'
import type { ApprovalAnswer } from './approval.ts'
import type { State } from './state.ts'

/** What a run works with. */
export interface Parts {
  readonly model: Model
  readonly protocol: Protocol
  /** By name; a `Map`, so that a tool named like a property of every object is simply not there. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly criteria: readonly Criterion[]
  /** What the task wants to know. Default: nothing. */
  readonly facts?: DeclaredFacts
  /** Default: the tools do what their author lets them do. */
  readonly permission?: Permission
  /** Default: nobody can be asked, and what would ask is refused. */
  readonly approvals?: Approvals
  readonly journal: Journal
  readonly store: ContentStore
  readonly clock: Clock
  /** Takes secrets out of everything that is recorded, sent and shown. Default: there are none. */
  readonly masker?: Masker
  readonly workspace?: Workspace
  /** Default: commands run nowhere. */
  readonly sandbox?: SandboxFacts
  /** Default: not known. */
  readonly worker?: Worker
  /** Told of every event after it was recorded. What it throws is reported as a warning and changes nothing. */
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

/** What the model may do in this run, and on whose behalf. */
export interface Permission {
  readonly policy: Policy
  /** What arguments that the session sets are filled with. */
  readonly session: Session
  /** Lists that the policy names, such as the client's payees. */
  readonly known?: Readonly<Record<string, readonly Json[]>>
  /**
   * The other runs of this client that may have done something since then (milliseconds since 1970), read anew each time.
   * Default: not known, and a tool with a limit for the day is denied.
   */
  readonly otherRuns?: (since: number) => Promise<readonly (readonly Event[])[]>
}

export interface Approvals {
  /** Asks a person now. Default: the run rests until somebody answers. */
  readonly ask?: AskPerson
  /** Makes an answer one that nobody else can make. No sandbox and no tool sees it. */
  readonly key: string
  /** Milliseconds that a call waits at most. */
  readonly lifetime: number
}

/** What a person is shown is in the event itself. A call without an answer goes on waiting. */
export type AskPerson = (cards: readonly CallParked[], asking: Asking) => Promise<Answers>

export interface Asking {
  /** Fires when no answer is wanted any more. */
  readonly signal: AbortSignal
  /** Why a call cannot be approved with these arguments, those that the session sets left out; undefined where it can. */
  readonly findEditProblem: (call: string, edited: JsonObject) => Promise<string | undefined>
}

export type Answers = readonly (ApprovalAnswer & { readonly id: string; readonly from: string })[]

/** What the model is told, and the record keeps, of where commands run. */
export interface SandboxFacts {
  readonly name: string
  /** Hosts that commands may reach, as the task names them. */
  readonly network: readonly string[]
}

/** A run in this process: its state, its parts, and the bytes of its conversation so far. */
export interface Run {
  readonly id: string
  readonly state: State
  readonly parts: Parts
  /** The tools as models are told about them, whatever the protocol. */
  readonly definitions: readonly ToolDefinition[]
  readonly head: RequestHead
  readonly body: RequestBody
  /** The messages that are already in the body. */
  readonly sent: WireMessage[]
}

import type { Clock } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import type { Delta, RequestHead, ToolDefinition, WireMessage } from '../core/request.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Criterion } from '../judge/criterion.ts'
import type { Model, RequestBody, Retry } from '../model/model.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Tool } from '../tools/tool.ts'
import type { State } from './state.ts'

/** What a run works with. */
export interface Parts {
  readonly model: Model
  readonly protocol: Protocol
  /** By name; a `Map`, so that a tool named like a property of every object is simply not there. */
  readonly tools: ReadonlyMap<string, Tool>
  readonly criteria: readonly Criterion[]
  readonly journal: Journal
  readonly store: ContentStore
  readonly clock: Clock
  readonly workspace?: Workspace
  /** Default: commands run nowhere. */
  readonly sandbox?: SandboxFacts
  /** Told of every event after it was recorded. What it throws is reported as a warning and changes nothing. */
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

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

import type { Ids } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { FactDeclaration } from '../core/known-fact.ts'
import type { Language } from '../core/language.ts'
import type { Limits } from '../core/limits.ts'
import type { Delta } from '../core/request.ts'
import type { Masker } from '../core/secrets.ts'
import type { UserWords } from '../core/words.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Model, Retry } from '../model/model.ts'
import type { Approvals } from '../run/run.ts'
import type { CriterionChoice } from './criteria.ts'
import type { PermissionChoice } from './permission-choice.ts'
import type { CompatName, ProtocolName } from './protocols.ts'
import type { ToolChoice } from './run-tools.ts'
import type { SandboxChoice } from './sandbox-choice.ts'
import type { Settings } from './settings.ts'
import type { WorkspaceRequest } from './task-request.ts'

/** Everything a run needs, decided. */
export interface RunOptions extends RunListeners, PermissionChoice {
  readonly task: string
  /** What the user gave beside the task without having typed it. */
  readonly attached?: readonly UserWords[]
  /** Default: nobody can be asked. */
  readonly approvals?: Approvals
  /** What a command was asked, so that another one can go on with the run. */
  readonly request?: JsonObject
  /** What paths of policies are relative to. Default: where the process is. */
  readonly folder?: string
  readonly model: Model
  readonly workspace?: WorkspaceRequest
  /** Default: the built-in ones with a workspace, none without. */
  readonly tools?: readonly ToolChoice[]
  /** A folder of documents that search and visit take from in place of the web. */
  readonly corpus?: string
  /** How calls are written in replies. Default: native. */
  readonly protocol?: ProtocolName
  /** What the model is spoken to in. Default: by the script of the task's text. */
  readonly language?: Language
  /** Whose layout of messages to use in place of Tao's own. Default: nobody's. */
  readonly compat?: CompatName
  /** A template of the system message, in place of Tao's own; see docs/prompts.md. */
  readonly prompt?: string
  readonly limits?: Partial<Limits>
  /** What one command may use, in tools and criteria. Default: the sandbox's own. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach, as in a task file. Default: none. */
  readonly network?: readonly string[]
  readonly done?: readonly CriterionChoice[]
  /** What the task wants to know, and the calls that establish it. */
  readonly facts?: readonly FactDeclaration[]
  /** What the answer is made from: a text with `{{fact}}` in it. */
  readonly answer?: string
  /** What is not to be done; told to the model. */
  readonly outOfScope?: readonly string[]
  /** Default: false. */
  readonly handOver?: boolean
  /** Opens a model that a criterion names. */
  readonly openGrader?: (name: string) => Promise<Model>
  readonly instructions?: string
  /** Default: 0. */
  readonly temperature?: number
  /** Default: the service's own, like that of the penalty. */
  readonly topP?: number
  readonly presencePenalty?: number
  /** Default: 4096. */
  readonly maxOutputTokens?: number
  readonly stream?: boolean
  readonly thinking?: boolean
  /** Takes secrets out of all that is recorded, sent and shown. Default: there are none. */
  readonly masker?: Masker
  readonly journal: Journal
  /** The journal is a new one for this run alone: it says nothing about the client's other runs. */
  readonly isUnrecorded?: boolean
  readonly store: ContentStore
  /** Gives the folder that working copies lie in; asked only when there is a workspace. */
  readonly work: () => string
  readonly sandboxProgram?: string
  /** Keys and addresses of what network tools use. Default: those of the environment. */
  readonly settings?: Settings
  /** Ends the copying of the workspace; the run then ends as cancelled. The same signal goes to `proceed`. */
  readonly signal?: AbortSignal
  readonly ids?: Ids
}

export interface RunListeners {
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

import type { CallParked } from '../core/approval.ts'
import type { Event } from '../core/event.ts'
import type { FactDeclaration } from '../core/known-fact.ts'
import type { Language } from '../core/language.ts'
import type { Delta } from '../core/request.ts'
import type { UserWords } from '../core/words.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Model, Price, Retry } from '../model/model.ts'
import type { ApprovalAnswer } from '../run/approval.ts'
import type { CriterionChoice } from './criteria.ts'
import type { PermissionChoice } from './permission-choice.ts'
import type { CompatName, ProtocolName } from './protocols.ts'
import type { ToolChoice } from './run-tools.ts'
import type { SandboxChoice } from './sandbox-choice.ts'
import type { TypedLimits } from './task-limits.ts'
import type { WorkspaceRequest } from './task-request.ts'

/** What a program can say about a run. Everything may be left out. */
export interface RunTaskOptions extends PermissionChoice {
  /** `provider/model`, or a model of your own. Default: what the environment has, as the command chooses it. */
  readonly model?: string | Model
  /** Address of the model service, for a model given by name. */
  readonly baseUrl?: string
  /** What a model given by name costs. Default: not known, and then a limit of cost is refused. */
  readonly price?: Price
  /** Your own tools, and names of built-in ones. Default: all built-in ones with a workspace, none without. */
  readonly tools?: readonly ToolChoice[]
  /** A folder of documents that `search` and `visit` take from in place of the web. */
  readonly corpus?: string
  /** How calls are written in replies: native, tagged, thought-action or agent-calls. Default: native. */
  readonly protocol?: ProtocolName
  /** What the model is spoken to in: en, ru or zh. Default: by the script of the task's text. */
  readonly language?: Language
  /** `deep-research`: the messages of Alibaba's research agent, over the protocol tagged. Default: Tao's own. */
  readonly compat?: CompatName
  /** A template of the system message with `{{tools}}`, `{{form}}` and others, in place of Tao's own; see docs/prompts.md. */
  readonly prompt?: string
  /** The folder to work on; tools work on a copy of it. */
  readonly workspace?: string | WorkspaceOptions
  /** What must hold, checked by code, before the run is a `success`. */
  readonly done?: readonly CriterionChoice[]
  /** What the task wants to know, and the calls whose results establish it. */
  readonly facts?: readonly FactDeclaration[]
  /** What the answer is made from, in place of what the model writes: a text with `{{fact}}` in it. */
  readonly answer?: string
  /** What is not to be done; told to the model. */
  readonly outOfScope?: readonly string[]
  /**
   * true: a run that does not finish its task ends as `blocked`, whatever stopped it, and `handOver` of the result says what is
   * known and what was tried, for the person who takes over. Default: false.
   */
  readonly handOver?: boolean
  /** Times in milliseconds, or as text: `10m`. What is left out has its default. */
  readonly limits?: TypedLimits
  /** What one command may use. What is left out has its default. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach, such as `registry.example`, `*.example.org`, `host.example:8443`. Default: none. */
  readonly network?: readonly string[]
  /** What the model is told beside the task. */
  readonly instructions?: string
  /** Default: 0. */
  readonly temperature?: number
  /** Default: the service's own, like that of the penalty. */
  readonly topP?: number
  readonly presencePenalty?: number
  /** Default: 4096. */
  readonly maxOutputTokens?: number
  /** Ask for the replies in pieces. Default: true when somebody listens to them. */
  readonly stream?: boolean
  readonly thinking?: boolean
  /** What the user gave beside the task without having typed it: it gives no authority. */
  readonly attached?: readonly UserWords[]
  /**
   * Asked about each call that the policy lets run only with a person's approval. Without an answer the run rests; `resume`
   * goes on with it. Default: such calls are refused.
   */
  readonly approve?: Approve
  /** Makes approvals that nobody else can make. Default: good for this process only. */
  readonly approvalKey?: string
  /**
   * Default: in memory, for this run alone; a tool with a limit for the day is then denied, since what the client used up is not
   * known. A journal that is given is not closed.
   */
  readonly journal?: Journal
  /**
   * Values that nobody is to see, such as tokens, of 8 characters or more: they are masked in all that is recorded, sent to a
   * model or shown. Keys that Tao reads from the environment, and variables named in TAO_SECRETS, are masked anyway.
   */
  readonly secrets?: readonly string[]
  /** Keeps results that are too large for the journal. Default: in memory. */
  readonly store?: ContentStore
  /** Cancels the run: it closes what is open and ends as `cancelled`. */
  readonly signal?: AbortSignal
  readonly onEvent?: (event: Event) => void
  readonly onDelta?: (delta: Delta) => void
  readonly onRetry?: (retry: Retry) => void
}

export type WorkspaceOptions = Pick<WorkspaceRequest, 'path'> & Partial<WorkspaceRequest>

/** A person's answer to one call; undefined leaves it open. */
export type Approve = (
  card: CallParked,
  signal: AbortSignal,
) => ApprovalAnswer | undefined | Promise<ApprovalAnswer | undefined>

/** What a run goes on with: an answer to calls that wait, a new word of the user, more budget. */
export interface ResumeOptions extends Omit<RunTaskOptions, 'journal' | 'limits'> {
  readonly journal: Journal
  /** Limits that change; the others stay. */
  readonly limits?: TypedLimits
  /** A new word of the user. */
  readonly say?: string
}

/** What a run was started with; a journal is needed for one that is named by its id. */
export type ReplayOptions = Omit<RunTaskOptions, 'signal' | 'onEvent' | 'onDelta' | 'onRetry'>

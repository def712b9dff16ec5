import type { Ids } from '../core/clock.ts'
import type { JsonObject } from '../core/json.ts'
import type { Limits } from '../core/limits.ts'
import type { Masker } from '../core/secrets.ts'
import type { ContentStore, Journal } from '../journal/journal.ts'
import type { Model } from '../model/model.ts'
import type { Approvals } from '../run/run.ts'
import type { PermissionChoice } from './permission-choice.ts'
import type { OpenCorpus } from './run-tools.ts'
import type { Settings } from './settings.ts'
import type { RunTaskOptions } from './task-options.ts'
import type { WorkspaceRequest } from './task-request.ts'

/** What is passed on as a program or a task says it. */
type Passed =
  | 'attached'
  | 'tools'
  | 'corpus'
  | 'protocol'
  | 'language'
  | 'compat'
  | 'prompt'
  | 'sandbox'
  | 'network'
  | 'done'
  | 'facts'
  | 'answer'
  | 'outOfScope'
  | 'handOver'
  | 'instructions'
  | 'temperature'
  | 'topP'
  | 'presencePenalty'
  | 'maxOutputTokens'
  | 'thinking'

/** Everything a run needs, decided. */
export interface RunOptions extends RunListeners, PermissionChoice, Pick<RunTaskOptions, Passed> {
  readonly task: string
  /** Default: nobody can be asked. */
  readonly approvals?: Approvals
  /** What a command was asked, so that another one can go on with the run. */
  readonly request?: JsonObject
  /** What paths of policies are relative to. Default: where the process is. */
  readonly folder?: string
  readonly model: Model
  readonly workspace?: WorkspaceRequest
  readonly limits?: Partial<Limits>
  /** Opens a model that a criterion names. */
  readonly openGrader?: (name: string) => Promise<Model>
  /** Default: false. */
  readonly stream?: boolean
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
  /** Default: the run looks through its corpus by itself. */
  readonly openCorpus?: OpenCorpus
  /** Ends the copying of the workspace; the run then ends as cancelled. The same signal goes to `proceed`. */
  readonly signal?: AbortSignal
  readonly ids?: Ids
}

export type RunListeners = Pick<RunTaskOptions, 'onEvent' | 'onDelta' | 'onRetry'>

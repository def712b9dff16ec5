import { existsSync } from 'node:fs'
import { resolve } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { Limits } from '../core/limits.ts'
import type { ModelWish } from './choose-model.ts'
import type { ProtocolName } from './protocols.ts'
import type { Backend, SandboxChoice } from './sandbox-choice.ts'
import { loadTaskFile } from './task-file.ts'
import type { CriterionSpec, TaskFile } from './task-schema.ts'

/** What a run is asked to do: a task file and what was said over it, or a sentence. Paths of folders are absolute. */
export interface TaskRequest {
  readonly task: string
  readonly wish: ModelWish
  readonly workspace?: WorkspaceRequest
  /** Undefined: the default ones. */
  readonly tools?: readonly string[]
  /** Default: native. */
  readonly protocol?: ProtocolName
  readonly limits: Partial<Limits>
  /** What one command may use. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach. Default: none. */
  readonly network?: readonly string[]
  readonly done: readonly CriterionSpec[]
  readonly instructions?: string
  readonly temperature?: number
  readonly maxOutputTokens?: number
  readonly stream?: boolean
  readonly thinking?: boolean
}

export interface WorkspaceRequest {
  readonly path: string
  readonly protect: readonly string[]
  readonly ignore?: readonly string[]
}

/** What was said for this run; it wins over the task file. Paths are relative to `folder`. */
export interface Overrides {
  readonly folder: string
  readonly model?: string
  readonly baseUrl?: string
  readonly workspace?: string
  /** These are added to those of the file. */
  readonly protect?: readonly string[]
  readonly tools?: readonly string[]
  readonly protocol?: ProtocolName
  readonly backend?: Backend
  readonly limits?: Partial<Limits>
  /** These are added to those of the file. */
  readonly done?: readonly CriterionSpec[]
  readonly stream?: boolean
}

/** A task file when the words name one, else the task itself. Throws a `TaoError` for a file that cannot be used. */
export async function readTaskRequest(words: string, overrides: Overrides): Promise<TaskRequest> {
  if (words.trim() === '')
    throw new TaoError('usage', 'The task is empty.', { fix: 'Say what is to be done, or name a task file.' })
  const path = resolve(overrides.folder, words)
  if (!namesFile(words, path)) return combine({ task: words.trim() }, overrides.folder, overrides)
  const { task, folder } = await loadTaskFile(path, words)
  return combine(task, folder, overrides)
}

/** `fix.task.yaml` is a file even when it is missing; "Correct the ports in app.yaml" is one only when it is there. */
const namesFile = (words: string, path: string): boolean =>
  /\.ya?ml$/i.test(words) && (!/\s/.test(words) || /\.task\.ya?ml$/i.test(words) || existsSync(path))

function combine(file: TaskFile, folder: string, over: Overrides): TaskRequest {
  const { model, script, workspace: _, protocol: inFile, limits, done = [], ...rest } = file
  const workspace = combineWorkspace(file, folder, over)
  const tools = over.tools ?? file.tools
  const stream = over.stream ?? file.stream
  const protocol = over.protocol ?? inFile
  return {
    ...rest,
    wish: {
      ...(over.model === undefined ? {} : { flag: over.model }),
      ...(model === undefined ? {} : { taskFile: model }),
      ...(script === undefined ? {} : { script }),
      ...(over.baseUrl === undefined ? {} : { baseUrl: over.baseUrl }),
      folders: { flag: over.folder, taskFile: folder },
    },
    ...(workspace === undefined ? {} : { workspace }),
    ...(over.backend === undefined ? {} : { sandbox: { ...file.sandbox, backend: over.backend } }),
    ...(tools === undefined ? {} : { tools }),
    ...(protocol === undefined ? {} : { protocol }),
    limits: { ...limits, ...over.limits },
    done: [...done, ...(over.done ?? [])],
    ...(stream === undefined ? {} : { stream }),
  }
}

function combineWorkspace(file: TaskFile, folder: string, over: Overrides): WorkspaceRequest | undefined {
  const inFile = file.workspace
  const protect = [...new Set([...(inFile?.protect ?? []), ...(over.protect ?? [])])]
  const ignore = inFile?.ignore === undefined ? {} : { ignore: inFile.ignore }
  if (over.workspace !== undefined) return { path: resolve(over.folder, over.workspace), protect, ...ignore }
  if (inFile !== undefined) return { path: resolve(folder, inFile.path), protect, ...ignore }
  if (protect.length === 0) return undefined
  throw new TaoError('usage', 'There is something to protect, but no workspace.', {
    fix: 'Name it with --workspace DIR.',
  })
}

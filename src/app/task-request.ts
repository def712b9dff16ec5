import { existsSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { TaoError } from '../core/error.ts'
import type { FactDeclaration } from '../core/known-fact.ts'
import type { Language } from '../core/language.ts'
import type { Limits } from '../core/limits.ts'
import { fillTemplate, placeholdersIn } from '../core/template.ts'
import type { UserWords } from '../core/words.ts'
import type { Price } from '../model/model.ts'
import type { RetryOptions } from '../model/retry.ts'
import type { ModelWish } from './choose-model.ts'
import type { CriterionSpec } from './contract-schema.ts'
import type { PermissionChoice } from './permission-choice.ts'
import { readPromptFile } from './prompt-file.ts'
import type { CompatName, ProtocolName } from './protocols.ts'
import { fittingTools } from './research-tools.ts'
import type { Backend, SandboxChoice } from './sandbox-choice.ts'
import { loadTaskFile } from './task-file.ts'
import type { TaskFile } from './task-schema.ts'

/** What a run is asked to do: a task file and what was said over it, or a sentence. Paths of folders are absolute. */
export interface TaskRequest extends Omit<PermissionChoice, 'policy'> {
  /** One that ships with Tao, by its name, or the path of a file relative to the task file. */
  readonly policy?: string
  /** What the user gave beside the task without having typed it. */
  readonly attached?: readonly UserWords[]
  readonly task: string
  readonly wish: ModelWish
  readonly workspace?: WorkspaceRequest
  /** Undefined: the default ones. */
  readonly tools?: readonly string[]
  /** The folder of documents that search and visit take from. */
  readonly corpus?: string
  /** Default: native. */
  readonly protocol?: ProtocolName
  /** Default: by the script of the task's text. */
  readonly language?: Language
  readonly compat?: CompatName
  /** A template of the system message. */
  readonly prompt?: string
  readonly limits: Partial<Limits>
  /** What one command may use. */
  readonly sandbox?: SandboxChoice
  /** Hosts that commands may reach. Default: none. */
  readonly network?: readonly string[]
  /** Environment variables whose values nobody is to see. */
  readonly secrets?: readonly string[]
  readonly done: readonly CriterionSpec[]
  readonly facts?: readonly FactDeclaration[]
  readonly answer?: string
  readonly outOfScope?: readonly string[]
  readonly handOver?: boolean
  readonly instructions?: string
  readonly temperature?: number
  readonly topP?: number
  readonly presencePenalty?: number
  /** How often the model is asked again after trouble, and how long is waited in between. */
  readonly retry?: RetryOptions
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
  /** A folder of documents, in place of the task's. */
  readonly corpus?: string
  readonly protocol?: ProtocolName
  readonly language?: Language
  readonly compat?: CompatName
  readonly backend?: Backend
  readonly limits?: Partial<Limits>
  readonly permission?: Omit<PermissionChoice, 'policy'> & Pick<TaskRequest, 'policy'>
  readonly attached?: readonly UserWords[]
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
  if (placeholdersIn(task.task).includes('question'))
    throw new TaoError('usage', `The task in ${words} is about a question, and none is given.`, {
      fix: `Give it with: tao run --preset ${words} "…"`,
    })
  return combine({ ...task, ...(await promptOf(task, folder)) }, folder, overrides)
}

/** What is to be done with a question: a task file with `{{question}}` where it is to stand, and what was said over it. */
export interface Preset {
  /** With its placeholders, whatever the question and the day. */
  readonly template: TaskRequest
  /** `workspace`: the files that belong to the question. Default: those of the task. */
  about(question: string, workspace?: WorkspaceRequest): TaskRequest
}

/** Reads one that ships with Tao, by its name, or a task file. Throws a `TaoError` for one that cannot be used. */
export async function readPreset(wanted: string, overrides: Overrides): Promise<Preset> {
  const shipped = SHIPPED.find((name) => name === wanted)
  const path = shipped === undefined ? resolve(overrides.folder, wanted) : join(PRESETS, `${shipped}.task.yaml`)
  const { task, folder } = await loadTaskFile(path, wanted)
  if (!placeholdersIn(task.task).includes('question'))
    throw new TaoError('usage', `The task in ${wanted} does not say where the question is to stand.`, {
      fix: 'Write {{question}} there.',
    })
  const template = combine({ ...task, ...(await promptOf(task, folder)) }, folder, overrides)
  const date = new Date().toISOString().slice(0, 10)
  return {
    template,
    about(question, workspace = template.workspace) {
      const request = { ...template, ...(workspace === undefined ? {} : { workspace }) }
      // Tools that were said for this run are taken at their word.
      const tools =
        overrides.tools ?? (template.tools && fittingTools(template.tools, { workspace, corpus: overrides.corpus }))
      // Whoever lays out messages as another agent does puts the date where that one has it.
      const asked = template.compat === undefined ? fillTemplate(task.task, { question, date }) : question
      return { ...request, ...(tools === undefined ? {} : { tools }), task: asked }
    },
  }
}

/** Where they lie: `presets` beside `src`, and in the package beside `dist`. */
const PRESETS = fileURLToPath(new URL('../../presets/', import.meta.url))
const SHIPPED = ['research']

/** From here on the prompt is its text, not its path. */
const promptOf = async ({ prompt }: TaskFile, folder: string): Promise<Pick<TaskFile, 'prompt'>> =>
  prompt === undefined ? {} : { prompt: await readPromptFile(resolve(folder, prompt), prompt) }

/** `fix.task.yaml` is a file even when it is missing; "Correct the ports in app.yaml" is one only when it is there. */
const namesFile = (words: string, path: string): boolean =>
  /\.ya?ml$/i.test(words) && (!/\s/.test(words) || /\.task\.ya?ml$/i.test(words) || existsSync(path))

function combine(file: TaskFile, folder: string, over: Overrides): TaskRequest {
  const { model, price, script, workspace: _, protocol: inFile, limits, done = [], facts, retry, ...rest } = file
  const workspace = combineWorkspace(file, folder, over)
  const tools = over.tools ?? file.tools
  const stream = over.stream ?? file.stream
  const protocol = over.protocol ?? inFile
  const language = over.language ?? file.language
  const compat = over.compat ?? file.compat
  return {
    ...rest,
    ...over.permission,
    ...sessionOf(file, over),
    ...(over.attached === undefined ? {} : { attached: over.attached }),
    wish: {
      ...(over.model === undefined ? {} : { flag: over.model }),
      ...(model === undefined ? {} : { taskFile: model }),
      ...(price === undefined ? {} : { price: expectOwner(price, model) }),
      ...(script === undefined ? {} : { script }),
      ...(over.baseUrl === undefined ? {} : { baseUrl: over.baseUrl }),
      folders: { flag: over.folder, taskFile: folder },
    },
    ...(workspace === undefined ? {} : { workspace }),
    ...corpusOf(file, folder, over),
    ...(over.backend === undefined ? {} : { sandbox: { ...file.sandbox, backend: over.backend } }),
    ...(tools === undefined ? {} : { tools }),
    ...(protocol === undefined ? {} : { protocol }),
    ...(language === undefined ? {} : { language }),
    ...(compat === undefined ? {} : { compat }),
    limits: { ...limits, ...over.limits },
    done: [...done, ...(over.done ?? [])],
    ...(facts === undefined ? {} : { facts: declarationsIn(facts) }),
    ...(retry === undefined ? {} : { retry: retryOptions(retry) }),
    ...(stream === undefined ? {} : { stream }),
  }
}

function expectOwner(price: Price, model: string | undefined): Price {
  if (model !== undefined) return price
  throw new TaoError('price', 'The task file has a price, but not the model that it is of.', {
    fix: 'Name the model beside it, such as "model: deepseek/deepseek-chat".',
  })
}

function retryOptions({ attempts, firstWait, longestWait, jitter, emptyReplies }: NonNullable<TaskFile['retry']>) {
  return {
    ...(attempts === undefined ? {} : { attempts }),
    ...(firstWait === undefined ? {} : { firstWaitMs: firstWait }),
    ...(longestWait === undefined ? {} : { longestWaitMs: longestWait }),
    ...(jitter === undefined ? {} : { jitterMs: jitter }),
    ...(emptyReplies === undefined ? {} : { emptyReplies }),
  }
}

function corpusOf(file: TaskFile, folder: string, over: Overrides): Pick<TaskRequest, 'corpus'> {
  if (over.corpus !== undefined) return { corpus: resolve(over.folder, over.corpus) }
  return file.corpus === undefined ? {} : { corpus: resolve(folder, file.corpus) }
}

const sessionOf = (file: TaskFile, { permission }: Overrides): Pick<TaskRequest, 'session'> =>
  permission?.session === undefined ? {} : { session: { ...file.session, ...permission.session } }

const declarationsIn = (facts: NonNullable<TaskFile['facts']>): FactDeclaration[] =>
  Object.entries(facts).map(([name, from]) => ({ name, from: Array.isArray(from) ? from : [from] }))

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

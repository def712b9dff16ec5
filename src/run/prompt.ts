import { TaoError } from '../core/error.ts'
import type { ToolDefinition } from '../core/request.ts'
import { fillTemplate, placeholdersIn } from '../core/template.ts'
import type { SystemPrompts } from '../protocol/prompts/prompts.ts'
import type { Protocol } from '../protocol/protocol.ts'
import type { SandboxFacts } from './run.ts'

/** What the system message is made of. */
export interface PromptOptions {
  readonly protocol: Protocol
  readonly tools: readonly ToolDefinition[]
  readonly files?: FilePlace
  readonly sandbox?: SandboxFacts
  /** By name. */
  readonly criteria: readonly string[]
  /** What the user wants the model told beside the task. */
  readonly instructions?: string
  /** The user's own template. Default: the protocol's layout, else that of the language. */
  readonly template?: string
  /** Milliseconds since 1970. */
  readonly now: number
}

export interface FilePlace {
  /** Where the working copy lies on this machine. */
  readonly copy: string
  readonly protect: readonly string[]
}

/**
 * The system message. It stays the same for the whole run: providers' prompt caches depend on it. Throws a `TaoError` for a
 * template with a placeholder that there is not.
 */
export function systemPrompt(options: PromptOptions): string {
  const { protocol, tools, criteria, instructions = '', template, now } = options
  const words = protocol.prompts.system
  const values: Readonly<Record<(typeof PLACEHOLDERS)[number], string>> = {
    tools: protocol.listTools(tools),
    form: protocol.form(tools),
    workspace: workspaceWords(options, words),
    criteria: criteria.length === 0 ? '' : fillTemplate(words.criteria, { list: criteriaList(criteria) }),
    instructions,
    date: new Date(now).toISOString().slice(0, 10),
  }
  return fillTemplate(template ?? protocol.layout?.system ?? words.template, values)
}

const PLACEHOLDERS = ['tools', 'form', 'workspace', 'criteria', 'instructions', 'date'] as const

/**
 * Looks whether a template of the user's can be used: it may leave out much, but not what would then be lost without a word.
 * Throws a `TaoError`; to be asked before anything is made for a run.
 */
export function expectTemplate({ template, protocol, instructions = '' }: TemplateUse): void {
  fillTemplate(template, Object.fromEntries(PLACEHOLDERS.map((name) => [name, ''])))
  const needed = [...(protocol.listTools([]) === '' ? [] : ['tools']), ...(instructions === '' ? [] : ['instructions'])]
  const mentioned = placeholdersIn(template)
  const missing = needed.find((name) => !mentioned.includes(name))
  if (missing === undefined) return
  throw new TaoError('template', `The prompt does not say where the ${missing} are to stand.`, {
    fix: `Write {{${missing}}} there, on a line of its own.`,
  })
}

/** The user's template of the system message, and what it is to be used with. */
export interface TemplateUse extends Pick<PromptOptions, 'protocol' | 'instructions'> {
  readonly template: string
}

const criteriaList = (criteria: readonly string[]): string => criteria.map((name) => `- ${name}`).join('\n')

function workspaceWords({ files, sandbox }: PromptOptions, words: SystemPrompts): string {
  if (files === undefined) return ''
  const isExternal = sandbox?.name === 'external'
  const folder = isExternal ? files.copy : '/workspace'
  const network = isExternal ? words.machineNetwork : networkWords(sandbox?.network ?? [], words)
  const place = fillTemplate(words.workspace, { folder, network })
  if (files.protect.length === 0) return place
  return `${place}\n${fillTemplate(words.protectedPaths, { paths: files.protect.join(', ') })}`
}

const networkWords = (network: readonly string[], words: SystemPrompts): string =>
  network.length === 0 ? words.noNetwork : fillTemplate(words.someHosts, { hosts: network.join(', ') })

import type { Effect } from '../core/call.ts'
import { DEFAULT_LIMITS, type Limits } from '../core/limits.ts'
import type { Criterion } from '../judge/criterion.ts'
import type { TaskRequest } from './task-request.ts'
import { factLine } from './told-beside.ts'

/** What a contract consists of, found out without running anything. */
export interface Contract {
  readonly tools: readonly { readonly name: string; readonly effects: readonly Effect[] }[]
  readonly criteria: readonly Criterion[]
}

/** The contract of a task in words, a line each: what is done, with what, within what, and when it counts as done. */
export function contractLines(request: TaskRequest, { tools, criteria }: Contract): string[] {
  const { task, facts = [], answer, outOfScope = [], handOver } = request
  return [
    'The task:',
    ...indented(task.split('\n')),
    'It is done when code has checked that all of this holds, after the last change:',
    ...indented(
      criteria.length === 0 ? ['nothing: the run can end as answered, never as success'] : criteria.map(criterionLine),
    ),
    ...section(
      'These facts are to be established by calls:',
      facts.map((fact) => factLine(fact).slice(2)),
    ),
    ...section('The answer is made from them:', answer === undefined ? [] : answer.trim().split('\n')),
    'The model may call:',
    ...indented(tools.length === 0 ? ['nothing'] : tools.map(({ name, effects }) => `${name} (${effects.join(', ')})`)),
    'It works on:',
    ...indented(resourcesOf(request)),
    ...section('Out of scope:', outOfScope),
    'It ends at the latest at:',
    ...indented(limitLines({ ...DEFAULT_LIMITS, ...request.limits })),
    ...section(
      'If it does not finish:',
      handOver === true ? ['it is blocked, with a note for whoever takes over'] : [],
    ),
  ]
}

const indented = (lines: readonly string[]): string[] => lines.map((line) => `  ${line}`)

const section = (title: string, lines: readonly string[]): string[] =>
  lines.length === 0 ? [] : [title, ...indented(lines)]

const criterionLine = ({ name, mustFailFirst, early }: Criterion): string => {
  const first =
    mustFailFirst === true
      ? ' (must fail before the first step)'
      : early === true
        ? ' (tried before the first step)'
        : ''
  return `${name}${first}`
}

function resourcesOf({ workspace, network = [], sandbox }: TaskRequest): string[] {
  const where = sandbox?.backend === 'external' ? 'the container that Tao runs in' : 'a sandbox'
  const reach = network.length === 0 ? 'no network' : `these hosts only: ${network.join(', ')}`
  if (workspace === undefined) return ['no files']
  const { path, protect } = workspace
  return [
    `a copy of ${path}`,
    ...(protect.length === 0 ? [] : [`without changing ${protect.join(', ')}`]),
    `commands run in ${where}, with ${sandbox?.backend === 'external' ? 'its network' : reach}`,
  ]
}

const LIMIT_WORDS: Readonly<Record<keyof Limits, (bound: number) => string>> = {
  modelCalls: (bound) => `${bound} requests to the model`,
  toolCalls: (bound) => `${bound} tool calls`,
  wallTime: (bound) => `${bound / 1000} seconds of work`,
  tokens: (bound) => `${bound} tokens, in and out`,
  contextTokens: (bound) => `${bound} tokens in one request`,
  cost: (bound) => `${bound} US dollars`,
  repeats: (bound) => `${bound} equal calls with equal results`,
  malformedReplies: (bound) => `${bound} replies in a row that cannot be read`,
  rejectedClaims: (bound) => `${bound} claims to be done that are sent back`,
  refusals: (bound) => (bound === 0 ? 'the first call' : `${bound} calls`).concat(' to what it may not have'),
}

const limitLines = (limits: Limits): string[] =>
  Object.entries(LIMIT_WORDS).flatMap(([name, words]) => {
    const bound = limits[name as keyof Limits]
    return bound === undefined ? [] : [words(bound)]
  })

import type { z } from 'zod'
import { oneLine } from '../core/clip.ts'
import { didYouMean } from '../core/nearest.ts'
import { answerShape, criterionShapes } from './contract-schema.ts'
import { limitsShape, retryShape, sandboxShape, TOOL_NAMES, taskShape, workspaceShape } from './task-schema.ts'

/** One thing that is wrong with a task, and where it stands. */
export interface TaskProblem {
  /** From the outermost key inward. */
  readonly path: readonly (string | number)[]
  /** True when the last key itself is wrong, not its value. */
  readonly atKey: boolean
  /** One sentence. */
  readonly sentence: string
}

type Issue = z.core.$ZodIssue

/** What Zod found, in sentences that say what to write instead. */
export function describeIssues(issues: readonly Issue[], input: unknown): TaskProblem[] {
  return issues.flatMap((issue) => describeIssue(issue, [], input))
}

function describeIssue(issue: Issue, above: readonly PropertyKey[], input: unknown): TaskProblem[] {
  const path = [...above, ...issue.path].map((part) => (typeof part === 'number' ? part : String(part)))
  const value = valueAt(input, path)
  if (issue.code === 'unrecognized_keys')
    return issue.keys.map((key) => ({ path: [...path, key], atKey: true, sentence: unknownKey(key, path) }))
  if (issue.code === 'invalid_union' && path[0] === 'done') return describeCriterion(issue, path, input, value)
  const last = path.at(-1)
  if (value === undefined && typeof last === 'string')
    return [{ path: path.slice(0, -1), atKey: false, sentence: `"${name(path)}" is missing: write ${issue.message}.` }]
  if (path[0] === 'tools' && typeof value === 'string')
    return [{ path, atKey: false, sentence: `There is no tool "${value}". ${didYouMean(value, TOOL_NAMES)}` }]
  const where = path.length === 0 ? 'The task' : `"${name(path)}"`
  return [{ path, atKey: false, sentence: `${where} must be ${issue.message}, but ${show(value)} stands there.` }]
}

/** Of the kinds of criteria, the one whose own key is there is the one that was meant. */
function describeCriterion(issue: Issue, path: (string | number)[], input: unknown, value: unknown): TaskProblem[] {
  const kinds = Object.keys(criterionShapes)
  const keys = typeof value === 'object' && value !== null && !Array.isArray(value) ? Object.keys(value) : []
  const meant = kinds.findIndex((kind) => keys.includes(kind))
  const errors = issue.code === 'invalid_union' ? (issue.errors[meant] ?? []) : []
  if (errors.length > 0) return errors.flatMap((inner) => describeIssue(inner, path, input))
  const [key] = keys
  if (key !== undefined)
    return [
      { path: [...path, key], atKey: true, sentence: `Unknown kind of criterion "${key}". ${didYouMean(key, kinds)}` },
    ]
  return [
    { path, atKey: false, sentence: `"${name(path)}" must be ${issue.message}, but ${show(value)} stands there.` },
  ]
}

function unknownKey(key: string, path: readonly (string | number)[]): string {
  const where = path.length === 0 ? '' : ` in "${name(path)}"`
  const known = knownKeys(path)
  const help = didYouMean(key, known)
  return `Unknown key "${oneLine(key, 60)}"${where}. ${help}`
}

function knownKeys([first]: readonly (string | number)[]): string[] {
  if (first === undefined) return Object.keys(taskShape)
  if (first === 'workspace') return Object.keys(workspaceShape)
  if (first === 'limits') return Object.keys(limitsShape)
  if (first === 'sandbox') return Object.keys(sandboxShape)
  if (first === 'retry') return Object.keys(retryShape)
  return [...Object.values(criterionShapes), answerShape].flatMap((shape) => Object.keys(shape))
}

/** `done[0].command`, counted from 0 as programs do. */
const name = (path: readonly (string | number)[]): string =>
  path.reduce<string>(
    (text, part) => (typeof part === 'number' ? `${text}[${part}]` : text === '' ? part : `${text}.${part}`),
    '',
  )

const valueAt = (input: unknown, path: readonly (string | number)[]): unknown =>
  path.reduce<unknown>(
    (value, key) =>
      typeof value === 'object' && value !== null && Object.hasOwn(value, key) ? Reflect.get(value, key) : undefined,
    input,
  )

function show(value: unknown): string {
  if (value === undefined || value === null) return 'nothing'
  if (Array.isArray(value)) return 'a list'
  if (typeof value === 'object') return 'a table'
  return typeof value === 'string' ? `the text ${JSON.stringify(oneLine(value, 60))}` : String(value)
}

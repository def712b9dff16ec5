import { readFile, stat } from 'node:fs/promises'
import { dirname } from 'node:path'
import { type Document, isNode, isPair, isScalar, LineCounter, parseDocument } from 'yaml'
import { TaoError } from '../core/error.ts'
import { describeIssues, type TaskProblem } from './task-problems.ts'
import { type TaskFile, taskSchema } from './task-schema.ts'

/** A task file that was read and holds to the schema. */
export interface LoadedTask {
  readonly task: TaskFile
  /** Absolute: what the paths in the file are relative to. */
  readonly folder: string
}

const LARGEST_FILE = 1 << 20

/** Reads a task file; `path` is how people wrote it. Throws a `TaoError` that names the file and, for each problem, line and column. */
export async function loadTaskFile(absolute: string, path: string = absolute): Promise<LoadedTask> {
  const text = await readText(path, absolute)
  return { task: parseTaskFile(text, path), folder: dirname(absolute) }
}

async function readText(path: string, absolute: string): Promise<string> {
  const found = await stat(absolute).catch(() => undefined)
  if (found === undefined)
    throw fileError(`There is no task file ${path}.`, 'Check the path, or give the task as a sentence in quotes.')
  if (!found.isFile()) throw fileError(`${path} is not a file.`, 'Name a task file, such as fix.task.yaml.')
  if (found.size > LARGEST_FILE)
    throw fileError(`${path} has ${found.size} bytes; a task file has ${LARGEST_FILE} at most.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(absolute))
  } catch (error) {
    if (error instanceof TypeError) throw fileError(`${path} is not UTF-8 text.`, 'Save it as UTF-8.')
    throw fileError(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** `path` is for the sentences only. */
export function parseTaskFile(text: string, path: string): TaskFile {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  const [syntax] = [...document.errors, ...document.warnings]
  if (syntax !== undefined) throw fileError(`${at(syntax.pos[0])}: This is not YAML: ${syntax.message}`)
  const value = toValue(document, path)
  const result = taskSchema.safeParse(value)
  if (result.success) return result.data
  const problems = describeIssues(result.error.issues, value)
    .map(({ sentence, ...place }) => ({ sentence, offset: offsetOf(document, place) }))
    .sort((a, b) => a.offset - b.offset)
  throw fileError(problems.map(({ sentence, offset }) => `${at(offset)}: ${sentence}`).join('\n'))
}

function toValue(document: Document.Parsed, path: string): unknown {
  try {
    return document.toJS({ maxAliasCount: 100 })
  } catch (error) {
    throw fileError(`${path}: ${(error as Error).message}`)
  }
}

/** Where the problem stands; what is missing stands where its table begins. */
function offsetOf(document: Document.Parsed, { path, atKey }: Omit<TaskProblem, 'sentence'>): number {
  if (atKey) {
    const table = path.length === 1 ? document.contents : document.getIn(path.slice(0, -1), true)
    const pairs =
      typeof table === 'object' && table !== null && 'items' in table ? (table.items as readonly unknown[]) : []
    const pair = pairs.find(
      (each) => isPair(each) && isScalar(each.key) && String(each.key.value) === String(path.at(-1)),
    )
    if (isPair(pair) && isNode(pair.key)) return pair.key.range?.[0] ?? 0
  }
  const node = path.length === 0 ? document.contents : document.getIn(path, true)
  return isNode(node) ? (node.range?.[0] ?? 0) : 0
}

const fileError = (message: string, fix?: string): TaoError =>
  new TaoError('task-file', message, fix === undefined ? {} : { fix })

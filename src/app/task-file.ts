import { dirname } from 'node:path'
import { type Document, isNode, isPair, isScalar } from 'yaml'
import { TaoError } from '../core/error.ts'
import { describeIssues, type TaskProblem } from './task-problems.ts'
import { type TaskFile, taskSchema } from './task-schema.ts'
import { type FileKind, readTextFile, readYaml } from './yaml-file.ts'

/** A task file that was read and holds to the schema. */
export interface LoadedTask {
  readonly task: TaskFile
  /** Absolute: what the paths in the file are relative to. */
  readonly folder: string
}

const TASK_FILE: FileKind = {
  code: 'task-file',
  name: 'task file',
  ifMissing: 'Check the path, or give the task as a sentence in quotes.',
  example: 'fix.task.yaml',
}

/** Reads a task file; `path` is how people wrote it. Throws a `TaoError` that names the file and, for each problem, line and column. */
export async function loadTaskFile(absolute: string, path: string = absolute): Promise<LoadedTask> {
  const text = await readTextFile(absolute, path, TASK_FILE)
  return { task: parseTaskFile(text, path), folder: dirname(absolute) }
}

/** `path` is for the sentences only. */
export function parseTaskFile(text: string, path: string): TaskFile {
  const { value, document, at } = readYaml(text, path, TASK_FILE)
  const result = taskSchema.safeParse(value)
  if (result.success) return result.data
  const problems = describeIssues(result.error.issues, value)
    .map(({ sentence, ...place }) => ({ sentence, offset: offsetOf(document, place) }))
    .sort((a, b) => a.offset - b.offset)
  throw new TaoError(TASK_FILE.code, problems.map(({ sentence, offset }) => `${at(offset)}: ${sentence}`).join('\n'))
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

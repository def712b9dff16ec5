import { appendFileSync, closeSync, existsSync, fdatasyncSync, openSync } from 'node:fs'
import { truncate } from 'node:fs/promises'
import { describeError, TaoError } from '../core/error.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'
import { linesOf } from './lines.ts'

/** A file of JSON lines that only grows. Every line is with the operating system when `append` returns. */
export interface AppendFile {
  append(value: object): void
  /** Puts all of it on disk. */
  close(): void
}

/** Opens it at its end; makes it when it is not there. Throws a `TaoError`. */
export function openAppendFile(path: string): AppendFile {
  const file = attempt(path, () => openSync(path, 'a', 0o644))
  return {
    append: (value) => attempt(path, () => appendFileSync(file, `${JSON.stringify(value)}\n`)),
    close() {
      attempt(path, () => fdatasyncSync(file))
      closeSync(file)
    },
  }
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work()
  } catch (error) {
    throw new TaoError('results', `The results cannot be written to ${path}: ${describeError(error)}`, { cause: error })
  }
}

/**
 * Reads what was appended so far, object by object. A last line that was cut off while it was written is removed. Throws a
 * `TaoError` for a line that is no object: nothing of ours wrote it.
 */
export async function* readAppended(path: string): AsyncGenerator<JsonObject> {
  if (!existsSync(path)) return
  let sound = 0
  for await (const { text, number, end, isWhole } of linesOf(path)) {
    if (!isWhole) await truncate(path, sound)
    else if (text.trim() !== '') yield objectIn(text, `${path}:${number}`)
    sound = isWhole ? end : sound
  }
}

function objectIn(text: string, where: string): JsonObject {
  let value: Json | undefined
  try {
    value = JSON.parse(text) as Json
  } catch {
    value = undefined
  }
  if (isJsonObject(value)) return value
  throw new TaoError('results', `${where} is not a line of results.`, {
    fix: 'Remove the line, or give another --out.',
  })
}

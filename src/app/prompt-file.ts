import { readFile } from 'node:fs/promises'
import { describeError, TaoError } from '../core/error.ts'

const LARGEST_PROMPT = 1 << 20

/** Reads a template of the system message; `path` is how people wrote it. Rejects with a `TaoError` that names the file. */
export async function readPromptFile(absolute: string, path: string): Promise<string> {
  const bytes = await readFile(absolute).catch((error: unknown) => {
    throw promptError(`The prompt ${path} cannot be read: ${describeError(error)}`)
  })
  if (bytes.length > LARGEST_PROMPT)
    throw promptError(`The prompt ${path} has ${bytes.length} bytes; it may have ${LARGEST_PROMPT}.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes)
  } catch {
    throw promptError(`The prompt ${path} is not UTF-8 text.`)
  }
}

const promptError = (message: string): TaoError =>
  new TaoError('prompt', message, { fix: '"prompt:" in a task file is the path of a text, relative to the task file.' })

import { closeSync, fstatSync, openSync, readFileSync, readSync, writeSync } from 'node:fs'
import { describeError, TaoError } from '../core/error.ts'
import { isJsonObject } from '../core/json.ts'
import type { Checkpoint, CheckpointLog } from './stored-journal.ts'

/**
 * Checkpoints as lines of JSON in a file that is only ever appended to, made when the first one is added. A line that was
 * cut off by a crash is passed over, and the next one begins after it.
 */
export function openCheckpointFile(path: string): CheckpointLog {
  let file: number | undefined

  const write = (entry: Checkpoint | { readonly run: string; readonly removed: true }): void => {
    try {
      file ??= openForAppending(path)
      const line = `${JSON.stringify(entry)}\n`
      if (writeSync(file, line) !== Buffer.byteLength(line)) throw new Error('the disk took a part of it only')
    } catch (error) {
      throw new TaoError('journal', `The checkpoints ${path} cannot be written: ${describeError(error)}.`, {
        fix: `Make room for ${path} and see that you may write it, then go on with: tao resume RUN`,
        cause: error,
      })
    }
  }

  return {
    add: write,
    addRemoval: (run) => write({ run, removed: true }),
    of: (run) => readCheckpoints(path, run),
    close: () => {
      if (file !== undefined) closeSync(file)
      file = undefined
    },
  }
}

function openForAppending(path: string): number {
  const file = openSync(path, 'a+', 0o600)
  const { size } = fstatSync(file)
  const last = Buffer.alloc(1)
  if (size > 0 && readSync(file, last, 0, 1, size - 1) === 1 && last.toString() !== '\n') writeSync(file, '\n')
  return file
}

function readCheckpoints(path: string, run: string): readonly Checkpoint[] {
  const name = JSON.stringify(run)
  const found: Checkpoint[] = []
  for (const line of readText(path).split('\n')) {
    const entry = line.includes(name) ? parseLine(line) : undefined
    if (entry?.run !== run) continue
    if (entry.removed === true) found.length = 0
    else if (typeof entry.count === 'number' && typeof entry.head === 'string')
      found.push({ run, count: entry.count, head: entry.head })
  }
  return found
}

function parseLine(line: string): Readonly<Record<string, unknown>> | undefined {
  try {
    const value: unknown = JSON.parse(line)
    return isJsonObject(value) ? value : undefined
  } catch {
    return undefined
  }
}

function readText(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return ''
    throw new TaoError('journal', `The checkpoints ${path} cannot be read: ${describeError(error)}.`, {
      fix: `See that you may read ${path}.`,
      cause: error,
    })
  }
}

import { existsSync, linkSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describeError, TaoError } from '../core/error.ts'

/** What makes the records of one folder results of one batch. It stands in `batch.json`. */
export interface Manifest {
  readonly formatVersion: 1
  readonly dataset: string
  readonly model: string
  /** The task of every item, with `{{question}}` where the question stands; and all that it is done with. */
  readonly task: object
  /** How many parts the dataset is run in. */
  readonly parts: number
}

/** Writes it, or holds it against the one that is there. Throws a `TaoError` that says what differs. */
export function keepManifest(folder: string, manifest: Manifest): void {
  const path = join(folder, 'batch.json')
  mkdirSync(folder, { recursive: true })
  if (!existsSync(path) && writeWhole(path, manifest)) return
  const kept = readKept(path)
  const differs = (['formatVersion', 'model', 'task', 'parts'] as const).find(
    (key) => !isSame(kept[key], manifest[key]),
  )
  if (differs === undefined) return
  throw new TaoError('results', `The results in ${folder} were made with another ${NAMES[differs]}.`, {
    fix: 'Results of one folder are to be comparable: give another --out.',
  })
}

function readKept(path: string): Partial<Record<keyof Manifest, unknown>> {
  try {
    return JSON.parse(readFileSync(path, 'utf8')) as Partial<Record<keyof Manifest, unknown>>
  } catch (error) {
    throw new TaoError('results', `${path} cannot be read: ${describeError(error)}`, { fix: 'Give another --out.' })
  }
}

const NAMES = { formatVersion: 'version of Tao', model: 'model', task: 'task', parts: 'number of parts' } as const

const isSame = (a: unknown, b: unknown): boolean => JSON.stringify(a) === JSON.stringify(b)

/** Whole or not at all, whoever writes beside us. False when somebody was faster. */
function writeWhole(path: string, manifest: Manifest): boolean {
  const draft = `${path}.${process.pid}`
  writeFileSync(draft, `${JSON.stringify(manifest, undefined, 2)}\n`)
  try {
    linkSync(draft, path)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  } finally {
    rmSync(draft, { force: true })
  }
}

import type { ToolResult } from '../core/call.ts'
import type { JsonObject } from '../core/json.ts'
import { describeEnd } from '../sandbox/exit.ts'
import { SandboxError, type SandboxLimits } from '../sandbox/sandbox.ts'
import type {
  Answer,
  EditAnswer,
  ListAnswer,
  ReadAnswer,
  Request,
  SearchAnswer,
  WriteAnswer,
} from './inside/request.ts'
import type { Place } from './place.ts'

interface Answers {
  readonly read: ReadAnswer
  readonly list: ListAnswer
  readonly search: SearchAnswer
  readonly edit: EditAnswer
  readonly write: WriteAnswer
}

type RequestFor<O extends keyof Answers> = Extract<Request, { operation: O }>

const NODE = '/opt/node/bin/node'
const FOLDER = '/opt/tao'
/** The program is source or built, as this file is. */
const ENDING = import.meta.url.endsWith('.ts') ? 'ts' : 'js'
export const PROGRAM = {
  [FOLDER]: `${import.meta.dirname}/inside`,
  // Says that the program is made of ES modules.
  '/opt/package.json': `${import.meta.dirname}/../../package.json`,
}
const MEBIBYTE = 1 << 20
const LIMITS: Partial<SandboxLimits> = { wallTime: 30_000, output: 32 * MEBIBYTE, keep: 32 * MEBIBYTE }

/**
 * Touches files, inside the sandbox only. Rejects with a `SandboxError` when the program could not be run there, and with
 * an `Error` when it broke.
 */
export async function callInside<O extends keyof Answers>(
  place: Place,
  request: RequestFor<O>,
  signal: AbortSignal,
): Promise<Answer<Answers[O]>> {
  const argv = [NODE, `${FOLDER}/main.${ENDING}`]
  const limits = { ...spaceOf(place), ...LIMITS }
  // With the same network as commands have, so that a sandbox that waits serves both.
  const network = place.network === undefined ? {} : { network: place.network }
  const command = { argv, view: place.view, stdin: JSON.stringify(request), readOnly: PROGRAM, limits, ...network }
  const result = await place.sandbox.run(command, signal)
  if (result.limit !== undefined) return { ok: false, problem: `It was ${describeEnd(result, limits)}.` }
  if (result.exit === 0) return JSON.parse(result.stdout.text) as Answer<Answers[O]>
  const detail = `exit code ${result.exit}: ${result.stderr.text.trim().slice(-500)}`
  if (NOT_STARTED.has(result.exit)) throw new SandboxError(`The program for files did not start (${detail}).`)
  throw new Error(`the program for files broke (${detail})`)
}

/** What shells say of a program that is not there or cannot be run, and the launcher of one that it did not start. */
const NOT_STARTED: ReadonlySet<number> = new Set([125, 126, 127])

/** The program is Tao's own and knows its bounds. Temporary space alone decides how the sandbox is made. */
const spaceOf = ({ limits }: Place): Partial<SandboxLimits> =>
  limits?.tempSpace === undefined ? {} : { tempSpace: limits.tempSpace }

/** Words an answer, or passes its problem on. */
export function observe<T>(answer: Answer<T>, show: (value: T) => Omit<ToolResult, 'ok'>): ToolResult {
  return answer.ok ? { ok: true, ...show(answer.value) } : { ok: false, text: answer.problem }
}

/** ` (a; b)`, or nothing. */
export const inBrackets = (remarks: readonly string[]): string =>
  remarks.length === 0 ? '' : ` (${remarks.join('; ')})`

/** The facts of an answer, for programs that use Tao as a library. */
export const factsOf = (file: {
  readonly path: string
  readonly bytes: number
  readonly sha256: string
}): JsonObject => ({
  path: file.path,
  bytes: file.bytes,
  sha256: file.sha256,
})

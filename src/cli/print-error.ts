import { maskerForScreen } from '../app/secrets.ts'
import type { Settings } from '../app/settings.ts'
import { TaoError } from '../core/error.ts'
import { jsonLine, printable } from './printable.ts'

export interface ErrorOptions {
  /** A program reads: one line of JSON on standard output instead of sentences. */
  readonly json: boolean
  /** Say whether to show the stack, and what nobody is to see. */
  readonly settings: Settings
}

/** Says what went wrong and what to do about it. A stack is for TAO_DEBUG only. */
export function printError(error: unknown, { json, settings }: ErrorOptions): void {
  const { code, message, fix, stack } = withoutSecrets(describe(error), settings)
  if (json) process.stdout.write(`${jsonLine({ error: { code, message, ...(fix === undefined ? {} : { fix }) } })}\n`)
  else process.stderr.write(`tao: ${printable(message)}\n${fix === undefined ? '' : `${printable(fix)}\n`}`)
  if (settings.debug && stack !== undefined) process.stderr.write(`${printable(stack)}\n`)
}

const withoutSecrets = (description: Description, settings: Settings): Description =>
  maskerForScreen(settings)?.mask(description) ?? description

interface Description {
  readonly code: string
  readonly message: string
  readonly fix: string | undefined
  readonly stack: string | undefined
}

function describe(error: unknown): Description {
  const stack = error instanceof Error ? error.stack : undefined
  if (error instanceof TaoError) return { code: error.code, message: error.message, fix: error.fix, stack }
  const message = `A fault in Tao: ${error instanceof Error ? error.message : String(error)}`
  return { code: 'fault', message, fix: 'TAO_DEBUG=1 shows where; please report it.', stack }
}

/** A result that is not taken (1), a sandbox that does not hold (3): as the outcomes of a run have them. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['conflict', 1],
  ['unproved', 1],
  ['sandbox', 3],
])

/** Wrong usage, and what else is the caller's to mend, is 2; a fault of ours is 1. */
export const exitCodeOf = (error: unknown): number => (error instanceof TaoError ? (CODES.get(error.code) ?? 2) : 1)

import { TaoError } from '../core/error.ts'
import { jsonLine, printable } from './printable.ts'

export interface ErrorOptions {
  /** A program reads: one line of JSON on standard output instead of sentences. */
  readonly json: boolean
  /** Show the stack. */
  readonly debug: boolean
}

/** Says what went wrong and what to do about it. A stack is for TAO_DEBUG only. */
export function printError(error: unknown, { json, debug }: ErrorOptions): void {
  const { code, message, fix } = describe(error)
  if (json) process.stdout.write(`${jsonLine({ error: { code, message, ...(fix === undefined ? {} : { fix }) } })}\n`)
  else process.stderr.write(`tao: ${printable(message)}\n${fix === undefined ? '' : `${printable(fix)}\n`}`)
  if (debug && error instanceof Error) process.stderr.write(`${printable(error.stack ?? '')}\n`)
}

interface Description {
  readonly code: string
  readonly message: string
  readonly fix: string | undefined
}

function describe(error: unknown): Description {
  if (error instanceof TaoError) return error
  const message = error instanceof Error ? error.message : String(error)
  return { code: 'fault', message: `A fault in Tao: ${message}`, fix: 'TAO_DEBUG=1 shows where; please report it.' }
}

/** A result that is not taken (1), a sandbox that does not hold (3): as the outcomes of a run have them. */
const CODES: ReadonlyMap<string, number> = new Map([
  ['conflict', 1],
  ['unproved', 1],
  ['sandbox', 3],
])

/** Wrong usage, and what else is the caller's to mend, is 2; a fault of ours is 1. */
export const exitCodeOf = (error: unknown): number => (error instanceof TaoError ? (CODES.get(error.code) ?? 2) : 1)

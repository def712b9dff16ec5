import { readSettings } from '../app/settings.ts'
import { type Verification, verifyRun } from '../app/verify-run.ts'
import { count } from './amounts.ts'
import type { JsonFlag } from './flags.ts'
import { jsonLine } from './printable.ts'

/** Says whether a run is what was recorded; exit code 1 when it is not, or when nothing proves it. */
export async function verifyCommand(wanted: string, { json }: JsonFlag): Promise<void> {
  const verification = await verifyRun(readSettings(), wanted)
  process.stdout.write(json ? `${jsonLine(verification)}\n` : readable(verification))
  if (verification.problem !== undefined) process.exitCode = 1
}

function readable({ run, events, keyed, checkpoints, problem }: Verification): string {
  if (problem !== undefined) return `${run}  ${problem.kind}, from event ${problem.seq} on\n  ${problem.detail}\n`
  const by = keyed
    ? 'by links made with the key'
    : 'by links made without a key: who can write the journal can make them'
  const seen = checkpoints === 0 ? 'no checkpoint has seen it yet' : count(checkpoints, 'checkpoint')
  return `${run}  sound: ${count(events, 'event')}, ${by}; ${seen}\n`
}

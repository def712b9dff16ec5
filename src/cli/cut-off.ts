import { finishApply } from '../sandbox/apply.ts'
import type { Workspace } from '../sandbox/workspace.ts'

/** Finishes or undoes an apply that was cut off, and says so. Gives whether the changes stand now. */
export async function finishCutOff(workspace: Workspace): Promise<boolean> {
  const done = await finishApply(workspace)
  if (done !== undefined)
    process.stderr.write(
      `An apply of this run had been cut off: it is ${done === 'finished' ? 'finished' : 'undone'} now.\n`,
    )
  return done === 'finished'
}

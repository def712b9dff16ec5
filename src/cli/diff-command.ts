import { diffOf } from '../app/kept-diff.ts'
import { readSettings } from '../app/settings.ts'
import { loadRun, workspaceOfRun } from '../app/stored-runs.ts'
import type { JsonFlag } from './flags.ts'
import { jsonLine, printable } from './printable.ts'

/** Shows what a run changed. On a pipe the diff is exact, for programs such as `git apply`; on a terminal nothing hides. */
export async function diffCommand(wanted: string, { json }: JsonFlag): Promise<void> {
  const stored = await loadRun(readSettings().home, wanted)
  const workspace = await workspaceOfRun(stored)
  const diff = await diffOf(workspace)
  if (json) process.stdout.write(`${jsonLine({ run: stored.run, changes: await workspace.changes(), diff })}\n`)
  else if (diff === '') process.stderr.write(`Run ${stored.run} changed nothing.\n`)
  else process.stdout.write(process.stdout.isTTY ? printable(diff) : diff)
}

import { diffOf } from '../app/kept-diff.ts'
import { maskerForScreen } from '../app/secrets.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { loadRun, workspaceOfRun } from '../app/stored-runs.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { finishCutOff } from './cut-off.ts'
import { leftOutText } from './ending.ts'
import type { JsonFlag } from './flags.ts'
import { printError } from './print-error.ts'
import { jsonLine, printable } from './printable.ts'

/**
 * Shows what a run changed. On a pipe the diff is exact but for secrets, for programs such as `git apply`; on a terminal
 * nothing hides.
 */
export async function diffCommand(wanted: string, { json }: JsonFlag): Promise<void> {
  const settings = readSettings()
  const stored = await loadRun(settings, wanted)
  const workspace = await workspaceOfRun(stored)
  await tryToFinish(workspace, settings)
  const found = {
    ...{ run: stored.run, changes: await workspace.changes(), leftOut: await workspace.leftOut() },
    diff: await diffOf(workspace),
  }
  const shown = maskerForScreen(settings, stored.started)?.mask(found) ?? found
  const { diff } = shown
  const leftOut = leftOutText(shown.leftOut)
  if (json) process.stdout.write(`${jsonLine(shown)}\n`)
  else if (diff === '' && leftOut === '') process.stderr.write(`Run ${stored.run} changed nothing.\n`)
  else process.stdout.write(process.stdout.isTTY ? printable(diff) : diff)
  if (!json && leftOut !== '') process.stderr.write(`${leftOut}\n`)
}

/** Where that cannot be done, the diff is what helps. */
async function tryToFinish(workspace: Workspace, settings: Settings): Promise<void> {
  try {
    await finishCutOff(workspace)
  } catch (error) {
    printError(error, { json: false, settings: { ...settings, debug: false } })
  }
}

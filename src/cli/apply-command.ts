import { readSettings } from '../app/settings.ts'
import { findDoubt, loadRun, workspaceOfRun } from '../app/stored-runs.ts'
import { TaoError } from '../core/error.ts'
import { applyChanges } from '../sandbox/apply.ts'
import { finishCutOff } from './cut-off.ts'
import { leftOutText } from './ending.ts'
import type { ApplyFlags } from './flags.ts'
import { jsonLine, short } from './printable.ts'

/** Writes what a run changed into the folder it was started on. What nothing proves needs `--unproved`. */
export async function applyCommand(wanted: string, { json, unproved }: ApplyFlags): Promise<void> {
  const stored = await loadRun(readSettings(), wanted)
  const workspace = await workspaceOfRun(stored)
  const isAllowed = (await finishCutOff(workspace)) || unproved === true // What was begun had been allowed.
  const doubt = isAllowed ? undefined : await findDoubt(stored, workspace)
  if (doubt !== undefined)
    throw new TaoError('unproved', `Not applied: ${doubt}`, {
      fix: `Look at it with: tao diff ${stored.run}   and to apply it all the same: tao apply ${stored.run} --unproved`,
    })
  const changes = await applyChanges(workspace)
  const leftOut = leftOutText(await workspace.leftOut())
  const { source } = workspace.record
  if (json) return void process.stdout.write(`${jsonLine({ run: stored.run, folder: source, changes })}\n`)
  if (leftOut !== '') process.stderr.write(`${leftOut}\n`)
  if (changes.length === 0) process.stdout.write(`Run ${stored.run} changed nothing.\n`)
  else
    process.stdout.write(
      `Applied to ${short(source, 300)}:\n${changes.map(({ kind, path }) => `  ${kind.padEnd(7)} ${short(path, 200)}\n`).join('')}`,
    )
}

import { isReadOnly, type ToolResult } from '../core/call.ts'
import { someOf } from '../core/clip.ts'
import type { Fact } from '../core/event.ts'
import type { FilesChanged } from '../core/snapshot.ts'
import type { Tool } from '../tools/tool.ts'
import { unknownOutcome } from './answers.ts'
import { park } from './check.ts'
import type { Examined } from './examine.ts'
import { execute, finish } from './execute.ts'
import { contextFor, examineAsRun, fingerprintOf, warn } from './fingerprint.ts'
import { marksOf } from './marks.ts'
import { hasLapsed } from './permit.ts'
import type { Run } from './run.ts'
import { snapshotAfter } from './snapshot.ts'
import type { OpenCall } from './state.ts'

/**
 * Calls that had started when the process ended. What only reads, says that it may be repeated, or is seen not to have taken
 * effect, is run again. Else its tool is asked whether it took effect; else a person, for what cannot be undone; else the
 * model is told that nobody knows.
 */
export async function* recover(run: Run, calls: readonly OpenCall[], signal: AbortSignal): AsyncGenerator<Fact> {
  for (const open of calls) {
    const effect = await effectOf(run, open, signal)
    if (await mayRunAgain(run, open, effect)) yield* execute(run, [open], signal)
    else yield* await findOut(run, open, { effect, signal })
  }
}

/** Whether the place that a call may change is as it was before. */
type Effect = 'none' | 'taken' | 'unknown'

async function effectOf(run: Run, open: OpenCall, signal: AbortSignal): Promise<Effect> {
  if (open.before === undefined) return 'unknown'
  const now = await fingerprintOf(run, open, signal)
  if (now === undefined) return 'unknown'
  return now === open.before ? 'none' : 'taken'
}

/**
 * Never when the approval has lapsed, or another policy has come since that would not let it start. What cannot be undone and is
 * seen not to have happened may still be on its way: only a person, or its tool's own word, lets it run again.
 */
async function mayRunAgain(run: Run, open: OpenCall, effect: Effect): Promise<boolean> {
  const tool = run.parts.tools.get(open.call.name)
  if (tool === undefined || hasLapsed(run, open)) return false
  const isSeenUndone = effect === 'none' && !isIrreversible(open)
  if (!isSeenUndone && !isHarmlessTwice(tool, open)) return false
  if (open.isOfOldPolicy !== true) return true
  const examined = await examineAsRun(run, open)
  return examined.ok && examined.decision.decision === 'allow'
}

const isIrreversible = ({ effects }: OpenCall): boolean => effects.includes('irreversible')

const isHarmlessTwice = (tool: Tool, { effects }: OpenCall): boolean => isReadOnly(effects) || tool.repeatable === true

interface Finding {
  readonly effect: Effect
  readonly signal: AbortSignal
}

async function findOut(run: Run, open: OpenCall, { effect, signal }: Finding): Promise<readonly Fact[]> {
  const { call } = open
  const examined = await examineAsRun(run, open)
  const probed = examined.ok ? await probe(run, examined, signal) : undefined
  const asks = isIrreversible(open) && run.parts.approvals !== undefined
  if (probed === undefined && effect !== 'taken' && examined.ok && asks) return [park(run, examined, true)]
  const changed = await snapshotAfter(run, open)
  const result = probed ?? (effect === 'taken' ? tookEffect(changed) : undefined)
  if (result === undefined) return [...changed, unknownOutcome(call, seenIn(run, changed))]
  const marks = marksOf(run, call, result.value)
  return [...changed, ...marks, await finish(run, { call, result, began: run.parts.clock.now() })]
}

/** What the tool says that came of it. A probe that fails has found out nothing. */
async function probe(run: Run, { call, tool, input }: Examined, signal: AbortSignal): Promise<ToolResult | undefined> {
  try {
    return await tool.probe?.(input, contextFor(run, call, signal))
  } catch (error) {
    warn(run, call, error)
    return undefined
  }
}

const pathsIn = (changed: readonly FilesChanged[]): readonly string[] =>
  changed.flatMap(({ files }) => files.map(({ path }) => path))

const tookEffect = (changed: readonly FilesChanged[]): ToolResult => ({
  ok: true,
  text: 'Tao was ended while this call ran. It took effect; what it said is lost.',
  files: pathsIn(changed),
})

const MOST_SHOWN = 20

/** What the working copy shows of a call, for the model. */
function seenIn({ parts }: Run, changed: readonly FilesChanged[]): string {
  if (parts.workspace === undefined || changed.some(({ problem }) => problem !== undefined)) return ''
  const paths = pathsIn(changed)
  if (paths.length === 0) return ' It changed no file of the workspace; ignored ones were not looked at.'
  return ` Files of the workspace that it changed: ${someOf(paths, MOST_SHOWN)}.`
}

import { isReadOnly } from '../core/call.ts'
import { describeError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { Tool } from '../tools/tool.ts'
import { unknownOutcome } from './answers.ts'
import { park } from './check.ts'
import { type Examined, examine, examineEdited, givenArguments } from './examine.ts'
import { contextFor, execute, finish } from './execute.ts'
import { marksOf } from './marks.ts'
import { hasLapsed } from './permit.ts'
import type { Run } from './run.ts'
import { snapshotAfter } from './snapshot.ts'
import type { OpenCall } from './state.ts'

/**
 * Calls that had started when the process ended. What only reads, or says that it may be repeated, is run again. Else its
 * tool is asked whether it took effect; else a person, for what cannot be undone; else the model is told that nobody knows.
 */
export async function* recover(run: Run, calls: readonly OpenCall[], signal: AbortSignal): AsyncGenerator<Fact> {
  for (const open of calls) {
    const tool = run.parts.tools.get(open.call.name)
    if (tool !== undefined && mayRepeat(tool, open) && !hasLapsed(run, open)) yield* execute(run, [open], signal)
    else yield* await findOut(run, open, signal)
  }
}

const mayRepeat = (tool: Tool, { effects }: OpenCall): boolean => isReadOnly(effects) || tool.repeatable === true

async function findOut(run: Run, open: OpenCall, signal: AbortSignal): Promise<readonly Fact[]> {
  const examined = await examineAsRun(run, open)
  const found = examined.ok ? await probe(run, examined, signal) : undefined
  const asks = open.effects.includes('irreversible') && run.parts.approvals !== undefined
  if (found === undefined && examined.ok && asks) return [park(run, examined, true)]
  return [...(await snapshotAfter(run, open)), ...(found ?? [unknownOutcome(open.call)])]
}

/** A call as it was run: with what a person had made of its arguments. */
const examineAsRun = (run: Run, { call, approval }: OpenCall) =>
  approval?.edited === undefined
    ? examine(run, call)
    : examineEdited(run, call, givenArguments(run, call, approval.edited))

/** A probe that fails has found out nothing. */
async function probe(
  run: Run,
  { call, tool, input }: Examined,
  signal: AbortSignal,
): Promise<readonly Fact[] | undefined> {
  try {
    const result = await tool.probe?.(input, contextFor(run, call, signal))
    if (result === undefined) return undefined
    return [...marksOf(run, call, result.value), await finish(run, { call, result, began: run.parts.clock.now() })]
  } catch (error) {
    const why = describeError(error)
    process.emitWarning(
      `Whether ${call.name} took effect could not be found out: ${run.parts.masker?.mask(why) ?? why}`,
    )
    return undefined
  }
}

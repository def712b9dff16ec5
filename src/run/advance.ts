import { describeError, TaoError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import { FenceError } from '../journal/journal.ts'
import { ask } from './ask.ts'
import { check } from './check.ts'
import { execute } from './execute.ts'
import { askLast, close, end, recover, warn } from './finish.ts'
import { judge } from './judge.ts'
import { type Move, nextMove } from './next.ts'
import { record } from './record.ts'
import type { Run } from './run.ts'

/**
 * Makes moves until the run has ended. Live and resumed runs, every protocol, streams and whole replies all go through
 * here. Rejects only when the journal cannot be written.
 */
export async function advance(run: Run, signal: AbortSignal): Promise<Outcome> {
  for (;;) {
    const outcome = await advanceOnce(run, signal)
    if (outcome !== undefined) return outcome
  }
}

/** One move: what `nextMove` says, each fact recorded before the stage goes on. Resolves to the outcome once there is one. */
async function advanceOnce(run: Run, signal: AbortSignal): Promise<Outcome | undefined> {
  if (signal.aborted && run.state.cancelledBy === undefined && run.state.outcome === undefined) {
    await record(run, { kind: 'cancel.requested', by: describeError(signal.reason) })
  }
  try {
    for await (const fact of stageFor(run, nextMove(run.state), signal)) await record(run, fact)
  } catch (error) {
    await giveUp(run, error)
  }
  return run.state.outcome
}

function stageFor(run: Run, move: Move, signal: AbortSignal): Iterable<Fact> | AsyncIterable<Fact> {
  switch (move.do) {
    case 'ask':
      return ask(run, move.toolChoice, signal)
    case 'check':
      return check(run, move.calls)
    case 'execute':
      return execute(run, move.calls, signal)
    case 'recover':
      return recover(move.calls)
    case 'judge':
      return judge(run, move.answer, signal)
    case 'warn':
      return warn(run)
    case 'askLast':
      return askLast(move.fired)
    case 'close':
      return close(move.calls, move.cause)
    case 'end':
      return end(run, move.ending)
    case 'rest':
      return []
  }
}

/** A bug of ours or a part that broke its contract still ends the run in one terminal event; a lost journal cannot. */
async function giveUp(run: Run, error: unknown): Promise<void> {
  if (error instanceof FenceError || (error instanceof TaoError && error.code === 'journal')) throw error
  if (run.state.blocked !== undefined) throw error
  await record(run, {
    kind: 'run.blocked',
    reason: `Tao could not go on: ${describeError(error)}`,
    fix: 'This is a fault in Tao or in a part given to it; the stack is printed with TAO_DEBUG=1.',
  })
}

import { describeError, TaoError } from '../core/error.ts'
import type { Fact } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import { FenceError } from '../journal/journal.ts'
import { ask } from './ask.ts'
import { check } from './check.ts'
import { execute } from './execute.ts'
import { askLast, close, end, warn } from './finish.ts'
import { judge } from './judge.ts'
import { type Move, nextMove } from './next.ts'
import { record } from './record.ts'
import type { Run } from './run.ts'

/**
 * Makes moves until the run has ended, or rests until a person answers: then it resolves to undefined. Live and resumed runs,
 * every protocol, streams and whole replies all go through here. Rejects only when the journal cannot be written.
 */
export async function advance(run: Run, signal: AbortSignal): Promise<Outcome | undefined> {
  for (;;) {
    const outcome = await advanceOnce(run, signal)
    if (outcome !== undefined || run.state.parked) return outcome
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

/** The stage that does what a move says. */
export function stageFor(run: Run, move: Move, signal: AbortSignal): Iterable<Fact> | AsyncIterable<Fact> {
  switch (move.do) {
    case 'ask':
      return ask(run, move.toolChoice, signal)
    case 'check':
      return check(run, move.calls)
    case 'execute':
      return execute(run, move.calls, signal)
    case 'recover':
      return later(async () => (await import('./recover.ts')).recover(run, move.calls, signal))
    case 'wait':
      return later(async () => (await import('./wait.ts')).wait(run, signal))
    case 'judge':
      return judge(run, move.answer, signal)
    case 'checkFirst':
      return later(async () => (await import('./check-first.ts')).checkFirst(run, signal))
    case 'checkLast':
      return later(async () => (await import('./check-last.ts')).checkLast(run, signal))
    case 'warn':
      return warn(run)
    case 'askLast':
      return askLast(run, move.fired)
    case 'close':
      return close(move.calls, move.cause)
    case 'end':
      return end(run, move.ending)
    case 'rest':
      return []
  }
}

/** A stage that most runs never come to: loaded by the first that does. */
async function* later(load: () => Promise<Iterable<Fact> | AsyncIterable<Fact>>): AsyncGenerator<Fact> {
  yield* await load()
}

/** A lost journal; an answer to a call that cannot be taken, which leaves the call waiting. */
const THROWN: ReadonlySet<string> = new Set(['journal', 'approval'])

/** A bug of ours or a part that broke its contract still ends the run in one terminal event; a lost journal cannot. */
async function giveUp(run: Run, error: unknown): Promise<void> {
  if (error instanceof FenceError || (error instanceof TaoError && THROWN.has(error.code))) throw error
  if (run.state.blocked !== undefined) throw error
  await record(run, {
    kind: 'run.blocked',
    reason: `Tao could not go on: ${describeError(error)}`,
    fix: 'This is a fault in Tao or in a part given to it; the stack is printed with TAO_DEBUG=1.',
  })
}

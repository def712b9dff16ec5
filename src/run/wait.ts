import type { CallParked } from '../core/approval.ts'
import { openDeadline, untilAborted } from '../core/deadline.ts'
import type { Fact } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import { answerApproval, expired, findEditProblem, waitingCalls } from './answer-approval.ts'
import type { Answers, Run } from './run.ts'

/** Calls wait for a person: whoever can be asked now is asked; otherwise the run rests and can be taken up anywhere. */
export async function* wait(run: Run, signal: AbortSignal): AsyncGenerator<Fact> {
  const now = run.parts.clock.now()
  const waiting = waitingCalls(run.state)
  const late = waiting.filter(({ parked }) => Date.parse(parked.expiresAt) <= now)
  if (late.length > 0) return yield* late.map(expired)
  const cards = waiting.map(({ parked }) => parked)
  const left = Math.min(...cards.map(({ expiresAt }) => Date.parse(expiresAt) - now))
  const answers = await askNow(run, { cards, left, signal })
  if (signal.aborted) return
  for (const { id, ...answer } of answers) yield await answerApproval(run, id, answer)
  const open = waitingCalls(run.state)
  if (open.length > 0) yield { kind: 'run.parked', reason: describeWaiting(open.map(({ parked }) => parked)) }
}

interface Question {
  readonly cards: readonly CallParked[]
  /** Milliseconds until the first of them expires. */
  readonly left: number
  readonly signal: AbortSignal
}

/** No answer where nobody is there, or nobody says anything in time. What fails while asking is thrown. */
async function askNow(run: Run, { cards, left, signal }: Question): Promise<Answers> {
  const ask = run.parts.approvals?.ask
  if (ask === undefined) return []
  using deadline = openDeadline(signal, left, 'The approval')
  try {
    const asking = {
      signal: deadline.signal,
      findEditProblem: (call: string, edited: JsonObject) => findEditProblem(run, call, edited),
    }
    return await untilAborted(ask(cards, asking), deadline.signal)
  } catch (error) {
    if (deadline.expired || signal.aborted) return []
    throw error
  }
}

const describeWaiting = (cards: readonly CallParked[]): string =>
  `A person must approve: ${cards.map(({ name, call }) => `${name} (${call})`).join(', ')}.`

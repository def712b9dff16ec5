import type { RunResumed } from '../core/approval.ts'
import { TaoError } from '../core/error.ts'
import type { RunStarted } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { LimitName, Limits } from '../core/limits.ts'
import type { UserWords } from '../core/words.ts'
import { superseded, waitingCalls } from './answer-approval.ts'
import { refusal } from './answers.ts'
import { openConversation, policyHashOf, requestHead, toolsHashOf } from './conversation.ts'
import { firedLimit } from './limits.ts'
import { marksOfWords } from './marks.ts'
import { record } from './record.ts'
import type { Run } from './run.ts'
import { type SystemSpec, systemOf } from './start.ts'

export interface Resumption {
  /** Why it goes on, for people. */
  readonly reason: string
  /** Limits that change; the others stay. */
  readonly limits?: Partial<Limits>
  /** What the command was asked, where that changes. */
  readonly request?: JsonObject
  /** A new word of the user. */
  readonly words?: readonly UserWords[]
  /** What the system message is made of, should it have to be made again. */
  readonly spec: SystemSpec
}

/**
 * Records that a run goes on, with whatever is not as it was. From then on `advance` treats it as every other run. Rejects
 * with a `TaoError` when there is nothing to go on with.
 */
export async function resume(run: Run, { reason, limits, words = [], request, spec }: Resumption): Promise<Run> {
  const { started, outcome } = run.state
  if (started === undefined) throw new Error('A run starts with run.started.')
  expectMore(run, words)
  expectBudget(run, { ...started.limits, ...limits }, words)
  const changed = whatChanged(run, started, spec)
  await record(run, {
    kind: 'run.resumed',
    reason,
    ...changed,
    ...(request === undefined ? {} : { request }),
    ...(run.parts.worker === undefined ? {} : { worker: run.parts.worker }),
    ...(limits === undefined ? {} : { limits: { ...started.limits, ...limits } }),
    ...(outcome?.limit === undefined ? {} : { observation: MORE_BUDGET }),
  })
  if (words.length > 0) await say(run, words)
  if (changed.head === undefined && changed.model === undefined) return run
  const { head = started.head } = changed
  return { ...run, ...openConversation(head, run.state.messages.slice(0, run.state.asked), run.parts) }
}

const MORE_BUDGET = 'There is budget again: you may go on and call tools.'

function expectMore({ state, id }: Run, words: readonly UserWords[]): void {
  const status = state.outcome?.status
  if ((status !== 'success' && status !== 'answered') || words.length > 0) return
  throw new TaoError('run', `Run ${id} has ended as "${status}": nothing is left to do.`, {
    fix: 'Say what is to be done next, with --say "…".',
  })
}

/** These are counted anew after a new word. */
const COUNTED_IN_A_ROW: ReadonlySet<LimitName> = new Set(['malformedReplies', 'rejectedClaims', 'refusals', 'repeats'])

/** A run that ended by a limit would end by it again at once. */
function expectBudget({ state, id }: Run, limits: Limits, words: readonly UserWords[]): void {
  const fired = state.outcome === undefined ? undefined : firedLimit(state, limits)
  if (fired === undefined || (words.length > 0 && COUNTED_IN_A_ROW.has(fired.limit))) return
  throw new TaoError('limit', `Run ${id} has used up its limit ${fired.limit}: ${fired.value} of ${fired.bound}.`, {
    fix: `Raise it above ${fired.value} to go on.`,
  })
}

/** Another protocol or other tools make another head and another system message; the history is rendered anew for them. */
export function whatChanged({ parts }: Pick<Run, 'parts'>, started: RunStarted, spec: SystemSpec): Partial<RunResumed> {
  const { model, protocol } = parts
  const [toolsHash, policyHash] = [toolsHashOf(parts), policyHashOf(parts)]
  const isRewritten =
    toolsHash !== started.toolsHash ||
    protocol.name !== started.protocol ||
    protocol.prompts.language !== (started.language ?? 'en')
  return {
    ...(model.name === started.model ? {} : { model: model.name }),
    ...(policyHash === started.policyHash || policyHash === undefined ? {} : { policyHash }),
    ...(isRewritten
      ? {
          ...{ protocol: protocol.name, language: protocol.prompts.language, toolsHash },
          ...{ head: requestHead(started.head, parts), system: systemOf(spec, parts) },
        }
      : {}),
  }
}

/** A new word ends what still waited: it is answered, and nothing of it runs. */
async function say(run: Run, words: readonly UserWords[]): Promise<void> {
  for (const open of waitingCalls(run.state)) await record(run, superseded(open))
  for (const { call, stage } of [...run.state.calls])
    if (stage === 'asked' || stage === 'cleared')
      await record(run, refusal(call, 'superseded', 'Not run: the user said something new.'))
  await record(run, { kind: 'user.said', words })
  for (const mark of marksOfWords(run, words)) await record(run, mark)
}

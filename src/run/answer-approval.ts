import type { ApprovalDenied, ApprovalExpired, ApprovalGiven, ApprovalSuperseded } from '../core/approval.ts'
import { TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import { type ApprovalAnswer, sealOf } from './approval.ts'
import { examineEdited } from './examine.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'

/**
 * Makes of a person's answer the fact to record. Throws a `TaoError` for a call that does not wait, and for arguments that
 * the policy denies: nothing is recorded then, and the call goes on waiting.
 */
export async function answerApproval(
  run: Run,
  id: string,
  answer: ApprovalAnswer & { readonly from: string },
): Promise<ApprovalGiven | ApprovalDenied | ApprovalExpired> {
  const open = waitingCall(run, id)
  if (open.parked.expiresAt <= new Date(run.parts.clock.now()).toISOString()) return expired(open)
  const { digest } = open.parked
  const { by, from } = answer
  if (answer.decision === 'deny') {
    const reason = answer.reason ?? ''
    const said = reason === '' ? '' : ` They said: ${reason}`
    const observation = `${notRun(open)} A person did not approve it.${said}`
    return { kind: 'approval.denied', call: id, digest, by, from, reason, observation }
  }
  const edited = answer.edited === undefined ? {} : { edited: await expectEdited(run, open, answer.edited) }
  const approved = { digest, by, from, ...edited }
  return { kind: 'approval.given', call: id, ...approved, seal: sealOf(approved, keyOf(run)) }
}

type WaitingCall = OpenCall & Required<Pick<OpenCall, 'parked'>>

function waitingCall({ state, id: run }: Run, id: string): WaitingCall {
  const open = state.calls.find(({ call }) => call.id === id)
  if (open?.stage === 'parked' && open.parked !== undefined) return { ...open, parked: open.parked }
  const waiting = state.calls.flatMap(({ call, stage }) => (stage === 'parked' ? [call.id] : []))
  throw new TaoError('approval', `Call ${id} of run ${run} does not wait for an answer.`, {
    fix: waiting.length === 0 ? 'Nothing of this run waits.' : `These wait: ${waiting.join(', ')}.`,
  })
}

/** Arguments as a person changed them, with those that the session sets. Rejects with a `TaoError` for what may not be run. */
async function expectEdited(run: Run, { call }: OpenCall, edited: JsonObject): Promise<JsonObject> {
  const examined = await examineEdited(run, call, edited)
  if (examined.ok) return examined.args
  throw new TaoError('approval', `These arguments cannot be approved: ${examined.problem}`, {
    fix: 'Change them, or deny the call.',
  })
}

/** Why a call cannot be approved with these arguments, in a sentence; undefined where it can. */
export async function findEditProblem(run: Run, id: string, edited: JsonObject): Promise<string | undefined> {
  const examined = await examineEdited(run, waitingCall(run, id).call, edited)
  return examined.ok ? undefined : examined.problem
}

function keyOf({ parts }: Run): string {
  if (parts.approvals !== undefined) return parts.approvals.key
  throw new TaoError('approval', 'This run has nobody who could approve a call.')
}

const notRun = ({ parked }: OpenCall): string =>
  parked?.outcomeUnknown === true
    ? 'Tao was ended while this call ran; whether it took effect is not known, and it was not repeated.'
    : 'Not run.'

export const expired = (open: WaitingCall): ApprovalExpired => ({
  kind: 'approval.expired',
  call: open.call.id,
  digest: open.parked.digest,
  observation: `${notRun(open)} It needed a person's approval, and nobody answered in time.`,
})

export const superseded = (open: WaitingCall): ApprovalSuperseded => ({
  kind: 'approval.superseded',
  call: open.call.id,
  digest: open.parked.digest,
  observation: `${notRun(open)} It waited for a person's approval, and the user said something new instead.`,
})

export const waitingCalls = ({ calls }: Run['state']): WaitingCall[] =>
  calls.flatMap((open) =>
    open.stage === 'parked' && open.parked !== undefined ? [{ ...open, parked: open.parked }] : [],
  )

import { readFile } from 'node:fs/promises'
import { resumeTask } from '../app/resume-task.ts'
import { readSettings } from '../app/settings.ts'
import { loadRun } from '../app/stored-runs.ts'
import { findWaitingCall } from '../app/waiting-calls.ts'
import type { CallParked } from '../core/approval.ts'
import { TaoError } from '../core/error.ts'
import { isJsonObject, type JsonObject, readJson } from '../core/json.ts'
import type { ApprovalAnswer } from '../run/approval.ts'
import { calledAs } from './called-as.ts'
import { cardText, editedCard } from './card.ts'
import type { AnswerFlags, ApproveFlags, DenyFlags } from './flags.ts'
import { followRun } from './follow-run.ts'
import { paintFor } from './paint.ts'
import { jsonLine } from './printable.ts'
import { userName } from './user-name.ts'

/** Lets a call run that waits, and goes on with its run. */
export async function approveCommand(wanted: string, call: string | undefined, flags: ApproveFlags): Promise<void> {
  const edited = flags.edit === undefined ? undefined : await readEdit(flags.edit)
  const answer = { decision: 'approve', by: userName(), ...(edited === undefined ? {} : { edited }) } as const
  await answerCall({ wanted, call, flags }, answer)
}

/** Does not let a call run that waits, tells the model why, and goes on with its run. */
export async function denyCommand(wanted: string, call: string | undefined, flags: DenyFlags): Promise<void> {
  const { reason } = flags
  await answerCall(
    { wanted, call, flags },
    { decision: 'deny', by: userName(), ...(reason === undefined ? {} : { reason }) },
  )
}

interface Meant {
  readonly wanted: string
  readonly call: string | undefined
  readonly flags: AnswerFlags
}

async function answerCall({ wanted, call, flags }: Meant, answer: ApprovalAnswer): Promise<void> {
  const settings = readSettings()
  const { run, events } = await loadRun(settings, wanted)
  const card = findWaitingCall(run, events, call)
  if (!flags.json && !flags.quiet) process.stderr.write(cardText(asAnswered(card, answer), paintFor(process.stderr)))
  const continuation = {
    reason: `${answer.decision === 'approve' ? 'approved' : 'denied'} by ${answer.by}`,
    answers: [{ id: card.call, from: 'command', ...answer }],
  }
  if (flags.resume !== false)
    return followRun((listeners) => resumeTask(run, continuation, { settings, listeners }), {
      ...{ flags, settings, before: events },
    })
  const task = await resumeTask(run, continuation, { settings, listeners: {} })
  await task.close()
  const facts = { run, call: card.call, decision: answer.decision }
  const text = `${answer.decision === 'approve' ? 'Approved' : 'Denied'}. To go on: ${calledAs(settings)} resume ${run}`
  process.stdout.write(`${flags.json ? jsonLine(facts) : text}\n`)
}

const asAnswered = (card: CallParked, answer: ApprovalAnswer): CallParked =>
  answer.decision === 'approve' && answer.edited !== undefined ? editedCard(card, answer.edited) : card

/** JSON, or a file of it behind `@`. */
async function readEdit(given: string): Promise<JsonObject> {
  const read = readJson(given.startsWith('@') ? await readEditFile(given.slice(1)) : given)
  if (read.ok && isJsonObject(read.value)) return read.value
  const problem = read.ok ? 'they are no JSON object' : read.problem
  throw new TaoError('usage', `The edited arguments cannot be read: ${problem}.`, {
    fix: `Write all arguments as one JSON object: --edit '{"command": "npm test"}', or --edit @FILE`,
  })
}

async function readEditFile(path: string): Promise<string> {
  try {
    return await readFile(path, 'utf8')
  } catch (error) {
    throw new TaoError('usage', `${path} cannot be read: ${(error as Error).message}`)
  }
}

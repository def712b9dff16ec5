import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { JsonObject } from '../core/json.ts'
import type { Limits } from '../core/limits.ts'
import type { UserWords } from '../core/words.ts'
import { answerApproval } from '../run/answer-approval.ts'
import { record } from '../run/record.ts'
import { resume } from '../run/resume.ts'
import type { Answers } from '../run/run.ts'
import { takeUp } from '../run/take-up.ts'
import { type OpenedRun, proceed } from './open-run.ts'
import { LOCAL_CLIENT } from './permission-choice.ts'
import type { RunOptions } from './run-options.ts'
import { openParts } from './run-parts.ts'
import { toldBeside } from './told-beside.ts'
import { expectNobodyElse } from './worker.ts'

/** How a run goes on. */
export interface Continuation {
  readonly run: string
  readonly events: readonly Event[]
  /** For people. */
  readonly reason: string
  /** Limits that change; the others stay. */
  readonly limits?: Partial<Limits>
  /** What the command was asked, where that changes. */
  readonly request?: JsonObject
  /** A new word of the user. */
  readonly words?: readonly UserWords[]
  /** What a person said about calls that wait. */
  readonly answers?: Answers
}

/**
 * Takes a run up from its journal, with the options that it was started with. Rejects with a `TaoError` when it cannot go on;
 * then nothing was recorded.
 */
export async function reopenRun(options: RunOptions, wish: Continuation): Promise<OpenedRun> {
  const { events, reason, limits, words, request, answers = [] } = wish
  const [started] = events
  const existing = started?.kind === 'run.started' ? started.workspace : undefined
  expectClient(started, options)
  expectNobodyElse(wish.run, events)
  const { parts, place } = await openParts(options, wish.run, existing)
  const instructions = toldBeside(options)
  const taken = takeUp(wish.run, events, parts)
  const answered = await Promise.all(answers.map(({ id, ...answer }) => answerApproval(taken, id, answer)))
  const run = await resume(taken, {
    reason,
    ...(limits === undefined ? {} : { limits }),
    ...(words === undefined ? {} : { words }),
    ...(request === undefined ? {} : { request }),
    spec: {
      ...(instructions === undefined ? {} : { instructions }),
      ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
    },
  })
  for (const fact of answered) await record(run, fact)
  if (place.blocked !== undefined) await record(run, { kind: 'run.blocked', ...place.blocked })
  return { run, workspace: place.workspace, proceed: (signal) => proceed(run, place, signal) }
}

/** What a run holds belongs to the client it was started for. */
function expectClient(started: Event | undefined, { client = LOCAL_CLIENT }: RunOptions): void {
  if (started?.kind !== 'run.started' || started.client === client) return
  throw new TaoError('run', `Run ${started.run} belongs to another client than "${client}".`, {
    fix: 'Go on with it for the client that it was started for.',
  })
}

import { randomBytes } from 'node:crypto'
import { resolve } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { Outcome } from '../core/outcome.ts'
import { memoryJournal } from '../journal/memory.ts'
import { memoryStore } from '../journal/memory-store.ts'
import type { Model } from '../model/model.ts'
import { APPROVAL_LIFETIME } from '../run/approval.ts'
import type { Replay } from '../run/replay.ts'
import type { Answers, Approvals, AskPerson, Run } from '../run/run.ts'
import type { Change, Workspace } from '../sandbox/workspace.ts'
import { chooseModel } from './choose-model.ts'
import { openHome } from './home.ts'
import { openModel, silentModel } from './models.ts'
import { type OpenedRun, openRun } from './open-run.ts'
import type { RunOptions } from './run-options.ts'
import { openMasker } from './secrets.ts'
import { readSettings, type Settings } from './settings.ts'
import type { Approve, ReplayOptions, ResumeOptions, RunTaskOptions, WorkspaceOptions } from './task-options.ts'
import type { WorkspaceRequest } from './task-request.ts'
/** How a run ended, and what it made. */
export interface RunResult extends Outcome {
  /** The id of the run. */
  readonly run: string
  /** For a run with a workspace that was not blocked. */
  readonly changes?: DeliveredChanges
}

/** What a run changed, in its own copy until it is applied. */
export interface DeliveredChanges {
  /** Where the copy lies. */
  readonly copy: string
  /** As `git diff` writes it. */
  diff(): Promise<string>
  /** Writes the changes into the folder. Rejects with a `TaoError` when it was changed meanwhile; then nothing is written. */
  apply(): Promise<readonly Change[]>
}

/**
 * Does a task and resolves to how it ended: whatever a model, a tool or a service does is data in the result. Rejects with a
 * `TaoError` for misuse: a name, a folder, a limit that cannot work; and with one of code `waiting` when the run rests until
 * a person answers.
 */
export async function run(task: string, options: RunTaskOptions = {}): Promise<RunResult> {
  const prepared = await prepare(task, options)
  return proceedWith(await openRun(prepared), options)
}

/**
 * Goes on with a run of a journal, with the options that it was started with: after the end of its process, after a rest, after
 * a limit or a cancellation. What took effect is not repeated. Rejects with a `TaoError` when there is nothing to go on with.
 */
export async function resume(id: string, options: ResumeOptions): Promise<RunResult> {
  const { limits, say, ...rest } = options
  const events = await options.journal.read(id)
  const [started] = events
  const task = started?.kind === 'run.started' ? started.task : ''
  const { reopenRun } = await import('./reopen-run.ts')
  const opened = await reopenRun(await prepare(task, rest), {
    ...{ run: id, events, reason: 'resumed by a program' },
    ...(limits === undefined ? {} : { limits: (await import('./task-limits.ts')).readLimits(limits) }),
    ...(say === undefined ? {} : { words: [{ kind: 'typed' as const, text: say }] }),
  })
  return proceedWith(opened, options)
}

/**
 * Drives a run of a journal, or one that `readFixture` gave, again with the options that it was started with: nothing is asked,
 * run or checked, and the result names the first thing that would not be as it was recorded.
 */
export async function replay(run: string | readonly Event[], options: ReplayOptions = {}): Promise<Replay> {
  const events = typeof run === 'string' ? ((await options.journal?.read(run)) ?? []) : run
  const { replayWith, startOf } = await import('./replay-run.ts')
  const started = startOf(typeof run === 'string' ? run : 'the fixture', events)
  const { model = started.model, price, ...rest } = options
  const silent = typeof model === 'string' ? silentModel(model, price) : model
  return replayWith(await prepare(started.task, { ...rest, model: silent }), events)
}

async function prepare(task: string, options: RunTaskOptions): Promise<RunOptions> {
  const settings = readSettings()
  const {
    model: _,
    baseUrl: _url,
    price: _price,
    workspace,
    corpus,
    limits,
    signal,
    approve,
    approvalKey,
    secrets = [],
    ...rest
  } = options
  const masker = openMasker(settings, { values: secrets })
  return {
    ...rest,
    task,
    settings,
    model: await modelFor(options, settings),
    openGrader: (name) => openModel({ name, folder: process.cwd() }, settings),
    ...(workspace === undefined ? {} : { workspace: workspaceRequest(workspace) }),
    ...(corpus === undefined ? {} : { corpus: resolve(corpus) }),
    ...(limits === undefined ? {} : { limits: (await import('./task-limits.ts')).readLimits(limits) }),
    ...(approve === undefined ? {} : { approvals: approvalsBy(approve, approvalKey) }),
    stream: options.stream ?? options.onDelta !== undefined,
    journal: options.journal ?? memoryJournal(),
    isUnrecorded: options.journal === undefined,
    store: options.store ?? memoryStore(),
    work: () => openHome(settings.home).work,
    ...(masker === undefined ? {} : { masker }),
    ...(signal === undefined ? {} : { signal }),
    ...(settings.sandboxProgram === undefined ? {} : { sandboxProgram: settings.sandboxProgram }),
  }
}

async function proceedWith(opened: OpenedRun, { signal }: Pick<RunTaskOptions, 'signal'>): Promise<RunResult> {
  const outcome = await opened.proceed(signal ?? new AbortController().signal)
  if (outcome === undefined)
    throw new TaoError('waiting', `Run ${opened.run.id} waits until a person has answered.`, {
      fix: 'Go on with it with resume(), once somebody can be asked.',
    })
  return {
    ...outcome,
    run: opened.run.id,
    ...(opened.workspace === undefined ? {} : { changes: changesIn(opened.workspace, opened.run) }),
  }
}

const processKey = randomBytes(32).toString('base64')

function approvalsBy(approve: Approve, key: string = processKey): Approvals {
  const ask: AskPerson = async (cards, { signal }) => {
    const answers: Answers[number][] = []
    for (const card of cards) {
      const answer = await approve(card, signal)
      if (answer !== undefined) answers.push({ id: card.call, from: 'library', ...answer })
    }
    return answers
  }
  return { key, lifetime: APPROVAL_LIFETIME, ask }
}

async function modelFor({ model, baseUrl, price }: RunTaskOptions, settings: Settings): Promise<Model> {
  if (price !== undefined && typeof model !== 'string') throw withoutName()
  if (typeof model === 'object') return model
  const folder = process.cwd()
  const wish = {
    ...(model === undefined ? {} : { flag: model }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(price === undefined ? {} : { price }),
    folders: { flag: folder, taskFile: folder },
  }
  return openModel(await chooseModel(wish, settings), settings)
}

const withoutName = (): TaoError =>
  new TaoError('price', 'There is a price, but not the name of a model that it is of.', {
    fix: 'Name the model too; a model of your own has its price as a property.',
  })

function workspaceRequest(given: string | WorkspaceOptions): WorkspaceRequest {
  const { path, protect = [], ...rest } = typeof given === 'string' ? { path: given } : given
  return { path: resolve(path), protect, ...rest }
}

const changesIn = (workspace: Workspace, { parts }: Run): DeliveredChanges => ({
  copy: workspace.record.copy,
  diff: async () => (await import('./kept-diff.ts')).diffOf(workspace, parts.masker),
  apply: async () => (await import('../sandbox/apply.ts')).applyChanges(workspace),
})

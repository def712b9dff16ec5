import { join } from 'node:path'
import type { CheckFinished } from '../core/claim.ts'
import type { Event } from '../core/event.ts'
import { memoryJournal } from '../journal/memory.ts'
import { memoryStore } from '../journal/memory-store.ts'
import type { Criterion } from '../judge/criterion.ts'
import { type Model, ModelError } from '../model/model.ts'
import { advance } from '../run/advance.ts'
import { recordedReply } from '../run/recorded-reply.ts'
import { startRun } from '../run/start.ts'
import { chooseModel } from './choose-model.ts'
import { openHome } from './home.ts'
import { openModel, silentModel } from './models.ts'
import { openRun, specOf } from './open-run.ts'
import { partsOfRecord } from './place-at-rest.ts'
import { recordedTools } from './recorded-tools.ts'
import { startOf } from './replay-run.ts'
import { requestOf } from './resume-task.ts'
import type { RunOptions } from './run-options.ts'
import { openMasker } from './secrets.ts'
import type { Settings } from './settings.ts'
import { loadRun } from './stored-runs.ts'

/** Something that came out otherwise than it is on record. */
export interface LiveDifference {
  readonly step: number
  /** `reply`, or the name of the tool. */
  readonly of: string
  readonly recorded: string
  readonly now: string
}

export interface LiveReplay {
  readonly run: string
  /** Steps that were taken now. */
  readonly steps: number
  readonly differences: readonly LiveDifference[]
}

/**
 * Runs the real tools with the replies on record, in a working copy of its own that is gone afterwards. Nobody is asked: what needs
 * an approval is not run. Compares what the model would be shown. A run that went on is followed to where it first ended.
 */
export async function replayWithTools(settings: Settings, wanted: string, signal: AbortSignal): Promise<LiveReplay> {
  const { run, events, options } = await load(settings, wanted)
  const opened = await openRun({ ...options, model: answering(startOf(run, events).model, events), signal })
  try {
    await opened.proceed(signal)
  } finally {
    if (opened.workspace !== undefined)
      await (await import('../sandbox/remove-tree.ts')).removeTree(join(options.work(), opened.run.id))
  }
  const now = await options.journal.read(opened.run.id)
  return { run, steps: opened.run.state.step, differences: differences(observationsIn(events), observationsIn(now)) }
}

/**
 * Asks the real model, and answers its calls with the results on record: the same tool with the same arguments, in order. No tool
 * runs. Compares its replies; a call that is not on record is told to it as such.
 */
export async function replayWithModel(settings: Settings, wanted: string, signal: AbortSignal): Promise<LiveReplay> {
  const { run, events, options } = await load(settings, wanted)
  const { wish } = requestOf(run, events.slice(0, 1))
  const live = { ...options, model: await openModel(await chooseModel(wish, settings), settings) }
  const { parts } = await partsOfRecord(live, run, events)
  const missed: LiveDifference[] = []
  const tools = await recordedTools(parts.tools, events, ({ name, input, unused }) => {
    missed.push({ step: started.state.step, of: name, recorded: unused.join('\n'), now: input })
  })
  const criteria = parts.criteria.map((criterion) => asFound(criterion, events))
  const started = await startRun(specOf(live, run), { ...parts, tools, criteria })
  await advance(started, signal)
  const now = await options.journal.read(run)
  const all = [...differences(repliesIn(events), repliesIn(now)), ...missed]
  return { run, steps: started.state.step, differences: all.sort((a, b) => a.step - b.step) }
}

async function load(settings: Settings, wanted: string) {
  const { run, events: all } = await loadRun(settings, wanted)
  const resumed = all.findIndex(({ kind }) => kind === 'run.resumed')
  const events = resumed === -1 ? all : all.slice(0, resumed)
  const { wish, retry: _, secrets = [], ...task } = requestOf(run, events.slice(0, 1))
  const masker = openMasker(settings, { variables: secrets })
  const options: RunOptions = {
    ...task,
    ...(masker === undefined ? {} : { masker }),
    ...{ model: silentModel(startOf(run, events).model, wish.price), settings, folder: wish.folders.taskFile },
    ...{ journal: memoryJournal(), isUnrecorded: true, store: memoryStore() },
    work: () => openHome(settings.home).work,
    openGrader: (name) => openModel({ name, folder: wish.folders.taskFile }, settings),
    ...(settings.sandboxProgram === undefined ? {} : { sandboxProgram: settings.sandboxProgram }),
  }
  return { run, events, options }
}

/** Says what was said, in order. */
function answering(name: string, events: readonly Event[]): Model {
  const replies = events.filter((event) => event.kind === 'model.replied')
  let next = 0
  return {
    ...silentModel(name),
    async ask() {
      const reply = replies[next++]
      if (reply === undefined) throw new ModelError('script', 'The record has no further reply.')
      return recordedReply(reply, events)
    },
  }
}

/** What was found last is found again: the files that it was found on are not there. */
function asFound(criterion: Criterion, events: readonly Event[]): Criterion {
  const isOfIt = (event: Event): event is Event & CheckFinished =>
    event.kind === 'check.finished' && event.criterion === criterion.name
  const found = events.findLast(isOfIt)
  const unchecked = { holds: false, detail: 'It was not checked in the run on record.', doubt: 'error' } as const
  const finding = found === undefined ? unchecked : { holds: found.holds, detail: found.detail }
  return { name: criterion.name, check: async () => finding }
}

/** What can be compared, by what it is of: a reply or a call. */
type Shown = ReadonlyMap<string, Omit<LiveDifference, 'recorded' | 'now'> & { readonly text: string }>

function differences(recorded: Shown, now: Shown): LiveDifference[] {
  return [...new Set([...recorded.keys(), ...now.keys()])].flatMap((key) => {
    const [before, after] = [recorded.get(key), now.get(key)]
    if (before?.text === after?.text) return []
    const { step, of } = before ?? after ?? { step: 0, of: '' }
    return [{ step, of, recorded: before?.text ?? '(nothing)', now: after?.text ?? '(nothing)' }]
  })
}

function observationsIn(events: readonly Event[]): Shown {
  let step = 0
  const shown = new Map<string, { step: number; of: string; text: string }>()
  for (const event of events) {
    if (event.kind === 'request.sent') step = event.step
    if (event.kind === 'call.finished' || event.kind === 'call.refused')
      shown.set(event.call, { step, of: event.name, text: event.observation })
  }
  return shown
}

const repliesIn = (events: readonly Event[]): Shown =>
  new Map(
    events
      .filter((event) => event.kind === 'model.replied')
      .map(({ step, text, calls }, at) => [
        String(at),
        {
          step,
          of: 'reply',
          text: calls.length === 0 ? text : calls.map(({ name, arguments: args }) => `${name} ${args}`).join('\n'),
        },
      ]),
  )

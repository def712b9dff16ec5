import { systemIds } from '../core/clock.ts'
import { DEFAULT_LIMITS } from '../core/limits.ts'
import type { Outcome } from '../core/outcome.ts'
import { advance } from '../run/advance.ts'
import type { Run } from '../run/run.ts'
import { type RunSpec, startRun } from '../run/start.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import { LOCAL_CLIENT } from './permission-choice.ts'
import type { RunOptions } from './run-options.ts'
import { openParts } from './run-parts.ts'
import { toldBeside } from './told-beside.ts'
import type { WorkPlace } from './work-place.ts'
/** A run that has been recorded as started, and has not done anything yet. */
export interface OpenedRun {
  readonly run: Run
  readonly workspace: Workspace | undefined
  /** Resolves to undefined when the run rests until a person answers. */
  proceed(signal: AbortSignal): Promise<Outcome | undefined>
}

const DEFAULT_OUTPUT_TOKENS = 4096

/**
 * Builds the parts of a run and records its start. Throws a `TaoError` for what cannot work. Without a sandbox a run that
 * needs one starts blocked: the reason is recorded, nothing is copied and nothing executed.
 */
export async function openRun(options: RunOptions): Promise<OpenedRun> {
  const id = (options.ids ?? systemIds).run()
  const { parts, place } = await openParts(options, id)
  const { workspace, blocked } = place
  const run = await startRun({ ...specOf(options, id), ...(blocked === undefined ? {} : { blocked }) }, parts)
  return { run, workspace, proceed: (signal) => proceed(run, place, signal) }
}

/** What of the options the start of a run is recorded with. */
export function specOf(options: RunOptions, id: string): RunSpec {
  const instructions = toldBeside(options)
  return {
    id,
    task: options.task,
    client: options.client ?? LOCAL_CLIENT,
    ...(options.attached === undefined ? {} : { attached: options.attached }),
    ...(options.request === undefined ? {} : { request: options.request }),
    limits: { ...DEFAULT_LIMITS, ...options.limits },
    ...(instructions === undefined ? {} : { instructions }),
    ...(options.answer === undefined ? {} : { answer: options.answer }),
    ...(options.outOfScope === undefined ? {} : { outOfScope: options.outOfScope }),
    ...(options.handOver === undefined ? {} : { handOver: options.handOver }),
    ...(options.prompt === undefined ? {} : { prompt: options.prompt }),
    temperature: options.temperature ?? 0,
    ...(options.topP === undefined ? {} : { topP: options.topP }),
    ...(options.presencePenalty === undefined ? {} : { presencePenalty: options.presencePenalty }),
    maxOutputTokens: options.maxOutputTokens ?? DEFAULT_OUTPUT_TOKENS,
    stream: options.stream ?? false,
    thinking: options.thinking ?? false,
  }
}

/** At its end nothing of the run is left, a sandbox that waited for its next command neither. */
export async function proceed(
  run: Run,
  { workspace, sandbox }: WorkPlace,
  signal: AbortSignal,
): Promise<Outcome | undefined> {
  try {
    const outcome = await advance(run, signal)
    if (workspace === undefined || outcome === undefined || outcome.changed.length === 0) return outcome
    await (await import('./kept-diff.ts')).keepDiff(workspace, run.parts.masker)
    return outcome
  } finally {
    await sandbox?.close()
  }
}

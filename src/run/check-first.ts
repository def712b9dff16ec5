import { openDeadline } from '../core/deadline.ts'
import { TaoError } from '../core/error.ts'
import type { Fact, RunBlocked } from '../core/event.ts'
import type { Evidence } from '../core/outcome.ts'
import type { Criterion, Finding } from '../judge/criterion.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { blockedBy } from './answers.ts'
import { deliveryOf } from './deliver.ts'
import { evidenceOf, lookAt } from './evidence.ts'
import type { Run } from './run.ts'
import { timeLeft } from './time.ts'

/**
 * Before the first step: which criteria hold already, and so say little about what the run will do. One that must fail first
 * and does not keeps the run from starting.
 */
export async function* checkFirst(run: Run, signal: AbortSignal): AsyncGenerator<Fact> {
  using deadline = openDeadline(signal, timeLeft(run).ms, 'Checking before the first step')
  const delivery = deliveryOf(run, '', deadline.signal)
  const evidence: Evidence[] = []
  let obstacle: RunBlocked | undefined
  try {
    for (const criterion of run.parts.criteria.filter(({ early }) => early)) {
      const finding = await lookAt(run, criterion, delivery)
      if (signal.aborted) return
      obstacle ??= findObstacle(criterion, finding)
      evidence.push(evidenceOf(criterion, finding))
    }
  } catch (error) {
    if (error instanceof SandboxError) return yield blockedBy(error)
    throw error
  }
  yield { kind: 'start.checked', evidence }
  if (obstacle !== undefined) yield obstacle
}

function findObstacle({ name, mustFailFirst }: Criterion, { holds, doubt, detail }: Finding): RunBlocked | undefined {
  if (mustFailFirst !== true || (!holds && doubt === undefined)) return undefined
  const what = holds ? 'holds before anything was done' : `could not be checked before the first step: ${detail}`
  return {
    kind: 'run.blocked',
    reason: `The criterion "${name}" must fail first, but it ${what}.`,
    fix: 'Write a check that fails on the files as they are now, or leave out mustFailFirst.',
  }
}

/** Throws a `TaoError` for a criterion that must fail first and cannot be checked before the run. */
export function expectEarly(criteria: readonly Criterion[]): void {
  const late = criteria.find(({ mustFailFirst, early }) => mustFailFirst === true && early !== true)
  if (late === undefined) return
  throw new TaoError('criterion', `The criterion "${late.name}" cannot be checked before the first step.`, {
    fix: 'Leave out mustFailFirst: it is for criteria of commands and files.',
  })
}

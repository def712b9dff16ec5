import { forkTask } from '../app/fork-task.ts'
import { expectProtocol } from '../app/protocols.ts'
import { readSettings } from '../app/settings.ts'
import { loadRun } from '../app/stored-runs.ts'
import { TaoError } from '../core/error.ts'
import { eventsUntil } from '../run/fork-point.ts'
import type { ForkFlags } from './flags.ts'
import { followRun } from './follow-run.ts'
import { policyIn } from './rights.ts'
import { limitsIn } from './written-limits.ts'

/** Starts a new run from a step of another one. The exit code says how it ended. */
export async function forkCommand(wanted: string, flags: ForkFlags): Promise<void> {
  const settings = readSettings()
  const { say, model, protocol, policy } = flags
  const at = stepIn(flags.at)
  if (say?.trim() === '') throw new TaoError('usage', 'Nothing is said.', { fix: 'Write it like --say "Use tabs."' })
  const limits = limitsIn(flags)
  const { run, events } = await loadRun(settings, wanted)
  const fork = {
    at,
    reason: `forked from run ${run} after step ${at}`,
    ...(say === undefined ? {} : { words: [{ kind: 'typed', text: say } as const] }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(model === undefined ? {} : { model }),
    ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
    ...(policy === undefined ? {} : { policy: await policyIn(process.cwd(), policy) }),
  }
  await followRun((listeners) => forkTask(run, fork, { settings, listeners }), {
    ...{ flags, settings, before: eventsUntil(events, at).events },
  })
}

function stepIn(text: string): number {
  if (/^\d{1,9}$/.test(text)) return Number(text)
  throw new TaoError('usage', `"${text}" is no step.`, {
    fix: 'Write the number of one, such as --at 3; 0 is the start.',
  })
}

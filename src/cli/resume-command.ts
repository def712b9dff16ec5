import { expectProtocol } from '../app/protocols.ts'
import { resumeTask } from '../app/resume-task.ts'
import { readSettings } from '../app/settings.ts'
import { loadRun } from '../app/stored-runs.ts'
import { TaoError } from '../core/error.ts'
import type { ResumeFlags } from './flags.ts'
import { followRun } from './follow-run.ts'
import { policyIn } from './rights.ts'
import { limitsIn } from './written-limits.ts'

/** Goes on with a run, wherever it stands. The exit code says how it ended this time. */
export async function resumeCommand(wanted: string, flags: ResumeFlags): Promise<void> {
  const settings = readSettings()
  const { say, model, protocol, policy } = flags
  if (say?.trim() === '') throw new TaoError('usage', 'Nothing is said.', { fix: 'Write it like --say "Use tabs."' })
  const limits = limitsIn(flags)
  const continuation = {
    reason: say === undefined ? 'by command' : 'the user said something new',
    ...(say === undefined ? {} : { words: [{ kind: 'typed', text: say } as const] }),
    ...(Object.keys(limits).length === 0 ? {} : { limits }),
    ...(model === undefined ? {} : { model }),
    ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
    ...(policy === undefined ? {} : { policy: await policyIn(process.cwd(), policy) }),
  }
  const { run, events } = await loadRun(settings, wanted)
  await followRun((listeners) => resumeTask(run, continuation, { settings, listeners }), {
    ...{ flags, settings, before: events },
  })
}

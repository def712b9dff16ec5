import type { LiveReplay } from '../app/replay-live.ts'
import { type RunReplay, replayRun } from '../app/replay-run.ts'
import { readSettings, type Settings } from '../app/settings.ts'
import { TaoError } from '../core/error.ts'
import { count } from './amounts.ts'
import { cancelOnSignals } from './cancel-signals.ts'
import { differenceText, sidesText } from './difference-text.ts'
import type { ReplayFlags } from './flags.ts'
import { jsonLine, printable } from './printable.ts'

/** Drives a run again from its journal; exit code 1 when something would not be, or is not, as it was recorded. */
export async function replayCommand(wanted: string, flags: ReplayFlags): Promise<void> {
  const settings = readSettings()
  const { json, task } = flags
  const chosen = [task, flags.liveTools, flags.liveModel].filter((each) => each !== undefined)
  if (chosen.length > 1)
    throw new TaoError('usage', '--task, --live-tools and --live-model are three ways to replay.', {
      fix: 'Choose one.',
    })
  if (flags.liveTools || flags.liveModel) return replayLive(settings, wanted, flags)
  const replayed = await replayRun(settings, wanted, task === undefined ? {} : { taskFile: task })
  process.stdout.write(json ? `${jsonLine(replayed)}\n` : await readable(replayed))
  if (replayed.difference !== undefined) process.exitCode = 1
}

async function readable({ run, events, requests, difference }: RunReplay): Promise<string> {
  const looked = `${count(events, 'event')}, ${count(requests, 'request')}`
  if (difference === undefined) return `${run}  ${looked}: all as recorded\n`
  return `${run}  ${looked} as recorded, then a difference\n${await differenceText(difference)}`
}

async function replayLive(settings: Settings, wanted: string, { json, liveTools }: ReplayFlags): Promise<void> {
  using cancelling = cancelOnSignals(() => process.stderr.write('Cancelling. Once more ends it at once.\n'))
  const { replayWithModel, replayWithTools } = await import('../app/replay-live.ts')
  const replayed = await (liveTools ? replayWithTools : replayWithModel)(settings, wanted, cancelling.signal)
  process.stdout.write(json ? `${jsonLine(replayed)}\n` : await readableLive(replayed))
  if (replayed.differences.length > 0) process.exitCode = 1
}

async function readableLive({ run, steps, differences }: LiveReplay): Promise<string> {
  const found = differences.length === 0 ? 'all as recorded' : count(differences.length, 'difference')
  const parts = [`${run}  ${count(steps, 'step')}: ${found}\n`]
  for (const { step, of, recorded, now } of differences)
    parts.push(printable(`step ${step}, ${of}\n`), await sidesText(recorded, now))
  return parts.join('')
}

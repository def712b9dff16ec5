import { parseDuration } from '../app/duration.ts'
import { withJournal } from '../app/open-journal.ts'
import { type PrunedRun, type PruneWish, planPrune, prune } from '../app/prune-runs.ts'
import type { Settings } from '../app/settings.ts'
import { parseSize } from '../app/size.ts'
import { TaoError } from '../core/error.ts'
import { EXIT_CODES } from '../core/outcome.ts'
import { count, size } from './amounts.ts'
import type { RunsFlags } from './flags.ts'
import { jsonLine } from './printable.ts'

const STATUSES = [...Object.keys(EXIT_CODES), 'waiting', 'unfinished']

/** Shows which runs are meant, and removes them when `--yes` says so. */
export async function pruneCommand(settings: Settings, flags: RunsFlags): Promise<void> {
  const wish = readWish(flags)
  await withJournal(settings, async (opened) => {
    const plans = await planPrune(opened, settings, wish)
    for (const plan of plans) sayRun(plan, flags)
    const going = plans.filter(({ held }) => held === undefined)
    const bytes = going.reduce((sum, plan) => sum + plan.bytes, 0)
    const results = flags.yes ? await prune(opened, going) : 0
    const done = `${count(going.length, 'run')} and ${count(results, 'result')} removed, ${size(bytes)} of events and working copies.`
    const dry = `${count(going.length, 'run')}, ${size(bytes)}. Nothing was removed; to do it, add --yes.`
    const facts = { removed: flags.yes === true, runs: going.length, bytes, results }
    process.stdout.write(flags.json ? `${jsonLine(facts)}\n` : `${flags.yes ? done : dry}\n`)
  })
}

function readWish({ olderThan, largerThan, status }: RunsFlags): PruneWish {
  const age = olderThan === undefined ? undefined : parseDuration(olderThan)
  if (olderThan !== undefined && age === undefined)
    throw new TaoError('usage', `"${olderThan}" is no length of time.`, { fix: 'Write it like 12h or 30d.' })
  const bytes = largerThan === undefined ? undefined : parseSize(largerThan)
  if (largerThan !== undefined && bytes === undefined)
    throw new TaoError('usage', `"${largerThan}" is no size.`, { fix: 'Write it like 500KB or 100MB.' })
  const unknown = status?.find((name) => !STATUSES.includes(name))
  if (unknown !== undefined || status?.length === 0)
    throw new TaoError('usage', `"${unknown ?? ''}" is no status of a run.`, {
      fix: `There are: ${STATUSES.join(', ')}`,
    })
  return {
    ...(age === undefined ? {} : { olderThan: age }),
    ...(bytes === undefined ? {} : { largerThan: bytes }),
    ...(status === undefined ? {} : { statuses: status }),
  }
}

function sayRun({ run, status, since, bytes, held }: PrunedRun, { json }: RunsFlags): void {
  const day = new Date(since).toISOString().slice(0, 10)
  const facts = {
    run,
    status,
    since: new Date(since).toISOString(),
    bytes,
    ...(held === undefined ? {} : { kept: held }),
  }
  const text = `${run}  ${status.padEnd(10)}  ${day}  ${size(bytes)}${held === undefined ? '' : `  kept: ${held}`}`
  process.stdout.write(json ? `${jsonLine(facts)}\n` : `${text}\n`)
}

import { TaoError } from '../core/error.ts'
import { isKeyed } from '../journal/chain.ts'
import { findProblem, type Problem } from '../journal/verify.ts'
import { type OpenedJournal, withJournal } from './open-journal.ts'
import type { Settings } from './settings.ts'
import { findRun, noRuns } from './stored-runs.ts'

/** What can be said of a run's record. */
export interface Verification {
  readonly run: string
  readonly events: number
  /** Its links were made with a key. */
  readonly keyed: boolean
  /** How many checkpoints speak of it. */
  readonly checkpoints: number
  /** Absent when the run is what was recorded. */
  readonly problem?: Problem
}

/** Checks a run against its chain and the second place. Rejects with a `TaoError` when there is no such run in either. */
export async function verifyRun(settings: Settings, wanted: string): Promise<Verification> {
  const verification = await withJournal(settings, (opened) => verify(opened, wanted))
  if (verification !== undefined) return verification
  throw noRuns(settings.home)
}

/** Throws a `TaoError` for a run that is not what was recorded: nobody can go on with it. */
export async function expectSound(opened: OpenedJournal, run: string): Promise<void> {
  const { problem } = await verify(opened, run)
  if (problem === undefined) return
  throw new TaoError('journal', `Run ${run} is not what was recorded, so it does not go on. ${problem.detail}`, {
    fix: `See what is wrong with: tao verify ${run}`,
  })
}

async function verify({ journal, chain, checkpoints }: OpenedJournal, wanted: string): Promise<Verification> {
  const names = (await journal.runs()).map(({ run }) => run)
  // A run that was cut as a whole is known to the second place only, by its whole name.
  const run = checkpoints.of(wanted).length > 0 ? wanted : findRun(names, wanted)
  const records = (await journal.records(run)) ?? { run, records: [], chain: chain.name }
  const seen = checkpoints.of(run)
  const linksElsewhere = async () => [...(await journal.links()), ...names.map((name) => chain.start(name))]
  const problem = await findProblem(records, { chain, checkpoints: seen, linksElsewhere })
  return {
    run,
    events: records.records.length,
    keyed: records.chain !== undefined && isKeyed(records.chain),
    checkpoints: seen.length,
    ...(problem === undefined ? {} : { problem }),
  }
}

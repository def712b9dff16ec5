import type { Event } from '../core/event.ts'
import type { Journal, RunListing } from '../journal/journal.ts'

export interface OtherRunsOptions {
  readonly client: string
  /** The run that asks, which is not among them. */
  readonly run: string
}

/** Gives the client's other runs that were under way at some time since then (milliseconds since 1970). */
export function otherRunsIn(
  journal: Journal,
  { client, run }: OtherRunsOptions,
): (since: number) => Promise<readonly (readonly Event[])[]> {
  return async (since) => {
    const runs = await journal.runs()
    const known = new Set(runs.map((each) => each.run))
    const others = runs.filter((each) => each.run !== run && !each.imported && wentOn(each, since))
    const found: (readonly Event[])[] = []
    for (const each of others) {
      const events = await journal.read(each.run)
      const [started] = events
      if (started?.kind !== 'run.started' || started.client !== client) continue
      const { parent } = started
      // What a fork has from its parent, the parent has done.
      found.push(parent !== undefined && known.has(parent.run) ? events.slice(parent.events) : events)
    }
    return found
  }
}

/** A run without an end may have gone on at any time. */
const wentOn = ({ end }: RunListing, since: number): boolean => end === undefined || Date.parse(end.at) >= since

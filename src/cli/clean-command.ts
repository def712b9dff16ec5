import { type KeptIndex, listIndexes } from '../app/corpus-home.ts'
import { parseDuration } from '../app/duration.ts'
import { readSettings } from '../app/settings.ts'
import { bytesIn, chooseCopies, type KeptCopy, listCopies, removeCopy } from '../app/working-copies.ts'
import { TaoError } from '../core/error.ts'
import { count, size } from './amounts.ts'
import { calledAs } from './called-as.ts'
import { countIndexes, dayOf, removeIndexes, say, sayIndexes } from './clean-indexes.ts'
import type { CleanFlags } from './flags.ts'

/**
 * Removes working copies of runs, never what the journal says of them, and indexes of documents, which can be made anew. Without
 * a choice it only says what there is.
 */
export async function cleanCommand(wanted: readonly string[], flags: CleanFlags): Promise<void> {
  const settings = readSettings()
  const copies = await listCopies(settings)
  const indexes = listIndexes(settings)
  const chosen = choose(copies, indexes, { wanted, flags })
  if (chosen === undefined) {
    const all = (await sayCopies(copies, flags)) + (await sayIndexes(indexes, flags))
    const found = [count(copies.length, 'working copy', 'working copies'), ...countIndexes(indexes.length)].join(', ')
    return sayWays(`${found}, ${size(all)}`, calledAs(settings), flags)
  }
  let freed = 0
  for (const copy of chosen.copies) {
    if (copy.held === undefined) freed += await remove(copy, flags)
    else say({ run: copy.run, kept: copy.held }, `${copy.run}  kept: ${copy.held}`, flags)
  }
  const removed = chosen.copies.filter(({ held }) => held === undefined).length
  const without = await removeIndexes(chosen.indexes, flags)
  const gone = [count(removed, 'working copy', 'working copies'), ...countIndexes(without.removed)].join(' and ')
  freed += without.freed
  say({ removed, indexes: without.removed, freed }, `${gone} removed, ${size(freed)} free again.`, flags)
}

interface Choice {
  readonly copies: readonly KeptCopy[]
  readonly indexes: readonly KeptIndex[]
}

interface CleanWish {
  readonly wanted: readonly string[]
  readonly flags: CleanFlags
}

function choose(
  copies: readonly KeptCopy[],
  indexes: readonly KeptIndex[],
  { wanted, flags: { all, olderThan } }: CleanWish,
): Choice | undefined {
  if (wanted.length > 0) return { copies: chooseCopies(copies, wanted), indexes: [] }
  const ended = copies.filter(({ unfinished, held }) => !unfinished || held !== undefined)
  if (olderThan === undefined) return all === true ? { copies: ended, indexes } : undefined
  const age = parseDuration(olderThan)
  if (age === undefined)
    throw new TaoError('usage', `"${olderThan}" is no length of time.`, { fix: 'Write it like 12h or 7d.' })
  const before = Date.now() - age
  return {
    copies: ended.filter(({ since }) => since <= before),
    indexes: indexes.filter(({ since, isOrphan }) => since <= before || isOrphan),
  }
}

async function remove(copy: KeptCopy, flags: CleanFlags): Promise<number> {
  const bytes = await removeCopy(copy)
  say({ run: copy.run, freed: bytes }, `${copy.run}  ${size(bytes)}`, flags)
  return bytes
}

/** Resolves to their bytes. */
async function sayCopies(copies: readonly KeptCopy[], flags: CleanFlags): Promise<number> {
  let all = 0
  for (const { run, place, held, unfinished, since } of copies) {
    const bytes = await bytesIn(place)
    all += bytes
    const note = held ?? (unfinished ? 'the run has no end on record; name it to remove its copy' : undefined)
    const day = dayOf(since)
    say({ run, bytes, since: day, note }, `${run}  ${day}  ${size(bytes)}${note ? `  ${note}` : ''}`, flags)
  }
  return all
}

function sayWays(found: string, command: string, flags: CleanFlags): void {
  if (flags.json) return
  const ways = `${command} clean RUN…   ${command} clean --older-than 7d   ${command} clean --all`
  process.stderr.write(`${found}. Nothing was removed. To remove some:\n  ${ways}\n`)
}

import { parseDuration } from '../app/duration.ts'
import { readSettings } from '../app/settings.ts'
import { bytesIn, chooseCopies, type KeptCopy, listCopies, removeCopy } from '../app/working-copies.ts'
import { TaoError } from '../core/error.ts'
import { count, size } from './amounts.ts'
import { calledAs } from './called-as.ts'
import type { CleanFlags } from './flags.ts'
import { jsonLine } from './printable.ts'

/** Removes working copies of runs, never what the journal says of them. Without a choice it only says what there is. */
export async function cleanCommand(wanted: readonly string[], flags: CleanFlags): Promise<void> {
  const settings = readSettings()
  const copies = await listCopies(settings)
  const chosen = choose(copies, wanted, flags)
  if (chosen === undefined) return await sayWhatThereIs(copies, calledAs(settings), flags)
  let freed = 0
  for (const copy of chosen) {
    if (copy.held === undefined) freed += await remove(copy, flags)
    else say({ run: copy.run, kept: copy.held }, `${copy.run}  kept: ${copy.held}`, flags)
  }
  const removed = chosen.filter(({ held }) => held === undefined).length
  say(
    { removed, freed },
    `${count(removed, 'working copy', 'working copies')} removed, ${size(freed)} free again.`,
    flags,
  )
}

function choose(
  copies: readonly KeptCopy[],
  wanted: readonly string[],
  { all, olderThan }: CleanFlags,
): readonly KeptCopy[] | undefined {
  if (wanted.length > 0) return chooseCopies(copies, wanted)
  const ended = copies.filter(({ unfinished, held }) => !unfinished || held !== undefined)
  if (olderThan === undefined) return all === true ? ended : undefined
  const age = parseDuration(olderThan)
  if (age === undefined)
    throw new TaoError('usage', `"${olderThan}" is no length of time.`, { fix: 'Write it like 12h or 7d.' })
  return ended.filter(({ since }) => since <= Date.now() - age)
}

async function remove(copy: KeptCopy, flags: CleanFlags): Promise<number> {
  const bytes = await removeCopy(copy)
  say({ run: copy.run, freed: bytes }, `${copy.run}  ${size(bytes)}`, flags)
  return bytes
}

async function sayWhatThereIs(copies: readonly KeptCopy[], command: string, flags: CleanFlags): Promise<void> {
  let all = 0
  for (const { run, place, held, unfinished, since } of copies) {
    const bytes = await bytesIn(place)
    all += bytes
    const note = held ?? (unfinished ? 'the run has no end on record; name it to remove its copy' : undefined)
    const day = new Date(since).toISOString().slice(0, 10)
    say({ run, bytes, since: day, note }, `${run}  ${day}  ${size(bytes)}${note ? `  ${note}` : ''}`, flags)
  }
  if (flags.json) return
  const ways = `${command} clean RUN…   ${command} clean --older-than 7d   ${command} clean --all`
  process.stderr.write(
    `${count(copies.length, 'working copy', 'working copies')}, ${size(all)}. Nothing was removed. To remove some:\n  ${ways}\n`,
  )
}

function say(facts: object, text: string, { json }: CleanFlags): void {
  process.stdout.write(json ? `${jsonLine(facts)}\n` : `${text}\n`)
}

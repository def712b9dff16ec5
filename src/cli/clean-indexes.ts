import type { KeptIndex } from '../app/corpus-home.ts'
import { bytesIn, removeCopy } from '../app/working-copies.ts'
import { count, size } from './amounts.ts'
import type { CleanFlags } from './flags.ts'
import { jsonLine, short } from './printable.ts'

/* The part of `tao clean` that is about indexes of documents. */

/** Without any, nothing is said of them. */
export const countIndexes = (many: number): string[] =>
  many === 0 ? [] : [count(many, 'index of documents', 'indexes of documents')]

/** Resolves to their bytes. */
export async function sayIndexes(indexes: readonly KeptIndex[], flags: CleanFlags): Promise<number> {
  let all = 0
  for (const { folder = UNKNOWN, place, since, isOrphan } of indexes) {
    const bytes = await bytesIn(place)
    all += bytes
    const note = isOrphan ? 'its folder is gone' : undefined
    const day = dayOf(since)
    const text = `index of ${short(folder, 300)}  ${day}  ${size(bytes)}${note ? `  ${note}` : ''}`
    say({ index: folder, bytes, since: day, note }, text, flags)
  }
  return all
}

export async function removeIndexes(
  indexes: readonly KeptIndex[],
  flags: CleanFlags,
): Promise<{ readonly removed: number; readonly freed: number }> {
  let [removed, freed] = [0, 0]
  for (const index of indexes) {
    const { folder = UNKNOWN, held } = index
    if (held !== undefined) {
      say({ index: folder, kept: held }, `index of ${short(folder, 300)}  kept: ${held}`, flags)
      continue
    }
    const bytes = await removeCopy(index)
    removed += 1
    freed += bytes
    say({ index: folder, freed: bytes }, `index of ${short(folder, 300)}  ${size(bytes)}`, flags)
  }
  return { removed, freed }
}

const UNKNOWN = 'a folder that nothing names'

export const dayOf = (since: number): string => new Date(since).toISOString().slice(0, 10)

export function say(facts: object, text: string, { json }: CleanFlags): void {
  process.stdout.write(json ? `${jsonLine(facts)}\n` : `${text}\n`)
}

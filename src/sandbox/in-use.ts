import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { identify, isAlive, type ProcessIdentity } from './process.ts'

const NAME = 'in-use.json'

/** Says beside a working copy which process made it: as long as that one lives, nobody else removes the copy. */
export function markInUse(place: string): void {
  writeFileSync(join(place, NAME), JSON.stringify(identify(process.pid) ?? null), { mode: 0o600 })
}

/** False when the process that made it is gone, or nothing says which it was. */
export function isInUse(place: string): boolean {
  const owner = readOwner(place)
  return owner !== undefined && isAlive(owner)
}

/** True when it is another process that works on it: one process may go on with its own run. */
export const isInUseElsewhere = (place: string): boolean => isInUse(place) && readOwner(place)?.pid !== process.pid

function readOwner(place: string): ProcessIdentity | undefined {
  try {
    return (JSON.parse(readFileSync(join(place, NAME), 'utf8')) as ProcessIdentity | null) ?? undefined
  } catch {
    return undefined
  }
}

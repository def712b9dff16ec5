import { readFileSync } from 'node:fs'
import { SandboxError } from './sandbox.ts'

/** Who commands run as on this machine. */
export interface SandboxUser {
  readonly uid: number
  readonly gid: number
  /** True when Tao is root and has to step down to this user, and hand over what commands are to write. */
  readonly dropped: boolean
}

/** What the choice depends on. */
export interface Identity {
  readonly uid: number
  readonly gid: number
  /** As /proc/self/uid_map and /proc/self/gid_map say it. */
  readonly uidMap: string
  readonly gidMap: string
  /** Ids that /etc/passwd and /etc/group give to somebody. */
  readonly taken: ReadonlySet<number>
}

/** Between the ranges that distributions and systemd hand out: nobody's. */
const FIRST_FREE = 61_000
const LAST_FREE = 61_180
const NOBODY = 65_534 // For systems without user ids, which have no sandbox either.

/**
 * Root steps down: as kernel user 0, /proc/sys can be written from inside and process limits do not count. Throws
 * `SandboxError` where no user other than kernel user 0 can be had.
 */
export function sandboxUser(identity: Identity = readIdentity()): SandboxUser {
  const { uid, gid, uidMap, gidMap, taken } = identity
  if (uid === 0) {
    for (let id = FIRST_FREE; id <= LAST_FREE; id++)
      if (!taken.has(id) && isUnprivileged(id, uidMap) && isUnprivileged(id, gidMap))
        return { uid: id, gid: id, dropped: true }
  }
  if (isUnprivileged(uid, uidMap)) return { uid, gid, dropped: false }
  throw new SandboxError(
    'Commands would run as the machine’s root user, which no sandbox holds.',
    'Start Tao as a normal user, or in a container that has more than one user id.',
  )
}

/** Maps have lines "inside outside count". An id outside all of them does not exist here. */
function isUnprivileged(id: number, map: string): boolean {
  for (const line of map.trim().split('\n')) {
    const [inside, outside, count] = line.trim().split(/\s+/).map(Number)
    if (inside === undefined || outside === undefined || count === undefined) continue
    if (id >= inside && id < inside + count) return outside + id - inside !== 0
  }
  return false
}

function readIdentity(): Identity {
  return {
    uid: process.geteuid?.() ?? NOBODY,
    gid: process.getegid?.() ?? NOBODY,
    uidMap: readMap('/proc/self/uid_map'),
    gidMap: readMap('/proc/self/gid_map'),
    taken: new Set([...readIds('/etc/passwd'), ...readIds('/etc/group')]),
  }
}

/** Where there is no such file, no ids are mapped. */
function readMap(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return '0 0 4294967295'
  }
}

function readIds(path: string): number[] {
  try {
    return readFileSync(path, 'utf8')
      .split('\n')
      .map((line) => Number(line.split(':')[2]))
  } catch {
    return []
  }
}

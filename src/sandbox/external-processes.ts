import { readdirSync, readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'
import { identify, killProcess, type ProcessIdentity } from './process.ts'

/** How the processes of one command are known: by the session it began, and by a mark in the environment they started with. */
export interface Membership {
  /** Process id of the command, which leads the session. */
  readonly session: number
  /** `NAME=value`, used for no other command. */
  readonly mark: string
}

interface Member extends ProcessIdentity {
  /** True when it is at work: on a processor, or waiting for a disk. */
  readonly busy: boolean
}

/** All that are alive. One that left the session and wiped its environment is not found. */
function members({ session, mark }: Membership): Member[] {
  return readdirSync('/proc').flatMap((name) => {
    const pid = Number(name)
    if (!Number.isInteger(pid) || pid === process.pid) return []
    const identity = identify(pid)
    if (identity === undefined) return []
    const [state = '', , , itsSession] = statOf(pid)
    if (Number(itsSession) !== session && !carries(pid, mark)) return []
    return [{ ...identity, busy: 'RD'.includes(state) }]
  })
}

const ROUNDS = 200
const QUIET_ROUNDS = 4
const WAIT_ROUNDS = 40

/** What is still at work gets a moment to finish by itself; true when something was left after it. */
export async function settle(membership: Membership): Promise<boolean> {
  let quiet = 0
  for (let round = 0; round < WAIT_ROUNDS && quiet < QUIET_ROUNDS; round++) {
    const left = members(membership)
    if (left.length === 0) return false
    if (!left.some(({ busy }) => busy)) quiet += 1
    await sleep(10)
  }
  return members(membership).length > 0
}

/** Kills until none is left. Resolves to whether that was reached. */
export async function killMembers(membership: Membership): Promise<boolean> {
  for (let round = 0; round < ROUNDS; round++) {
    const left = members(membership)
    if (left.length === 0) return true
    for (const member of left) killProcess(member)
    await sleep(round === 0 ? 1 : 10)
  }
  return false
}

function statOf(pid: number): string[] {
  const stat = read(`/proc/${pid}/stat`)
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')
}

const carries = (pid: number, mark: string): boolean => read(`/proc/${pid}/environ`).split('\0').includes(mark)

function read(path: string): string {
  try {
    return readFileSync(path, 'latin1')
  } catch {
    return ''
  }
}

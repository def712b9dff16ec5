import { readFileSync } from 'node:fs'
import { setTimeout as sleep } from 'node:timers/promises'

/** A process of this machine. Its number alone may be given to another one; with the start time it is that one or none. */
export interface ProcessIdentity {
  readonly pid: number
  /** Clock ticks since boot, as /proc says it. */
  readonly startTime: string
}

/** Undefined when there is no such process, or only its entry is left. */
export function identify(pid: number): ProcessIdentity | undefined {
  let stat: string
  try {
    stat = readFileSync(`/proc/${pid}/stat`, 'latin1')
  } catch {
    return undefined
  }
  // The name before it may hold spaces and brackets.
  const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  const [state, startTime] = [fields[0], fields[19]]
  return state === undefined || startTime === undefined || 'ZX'.includes(state) ? undefined : { pid, startTime }
}

export const isAlive = ({ pid, startTime }: ProcessIdentity): boolean => identify(pid)?.startTime === startTime

/** Kills exactly this process; for the first one of a process namespace, the kernel kills all others in it. */
export function killProcess(target: ProcessIdentity): void {
  if (!isAlive(target)) return
  try {
    process.kill(target.pid, 'SIGKILL')
  } catch {
    // It ended in between.
  }
}

/** Resolves to whether it was gone within the time, in milliseconds. */
export async function untilGone(target: ProcessIdentity, atMost: number): Promise<boolean> {
  const deadline = performance.now() + atMost
  while (isAlive(target)) {
    if (performance.now() > deadline) return false
    await sleep(1)
  }
  return true
}

import { watchDisk } from './disk-use.ts'
import { memoryAtMost, memoryExactly, processTree, spaceUse } from './memory-use.ts'
import { WORKSPACE } from './profile.ts'
import type { CommandResult, EndingLimit, SandboxLimits } from './sandbox.ts'

/** Looks from outside at what the kernel bounds for single processes only, or not at all. */
export interface Watchdog {
  /** Looks at what can be seen only while the sandbox stands. */
  lookOnce(): void
  reached(): CommandResult['reached']
  close(): void
}

export interface WatchdogOptions {
  /** First process inside. */
  readonly root: number
  /** The working copy; without one, the workspace is temporary space. */
  readonly copy?: string
  readonly limits: SandboxLimits
  readonly onLimit: (limit: EndingLimit) => void
}

// Milliseconds.
const DISK_EVERY = 50
const MEMORY_EVERY = 100
/** Looking may take one part of this many of the time. */
const SHARE = 10
/** A command that stays at its number of processes for so many looks does nothing but try to start more. */
const LOOKS_AT_LIMIT = 10
/** The kernel refuses a process when there are so many; what ended and what begins makes the count waver. */
const WAVER = 4

export function watchdog({ root, copy, limits, onLimit }: WatchdogOptions): Watchdog {
  const temporary = ['/tmp', '/home/agent', '/dev/shm', ...(copy === undefined ? [WORKSPACE] : [])]
  const reached = new Set<'processes' | 'tempSpace'>()
  let looksAtLimit = 0

  const lookAtSpace = (): number => {
    const { used, full } = spaceUse(root, temporary)
    if (full) reached.add('tempSpace')
    return used
  }
  const lookAtMemory = (): EndingLimit | undefined => {
    const { pids, threads } = processTree(root)
    const isAtLimit = threads >= limits.processes - WAVER
    looksAtLimit = isAtLimit ? looksAtLimit + 1 : 0
    if (isAtLimit) reached.add('processes')
    if (looksAtLimit >= LOOKS_AT_LIMIT) return 'processes'
    const space = lookAtSpace()
    if (space + memoryAtMost(pids) <= limits.totalMemory) return undefined
    return space + memoryExactly(pids) > limits.totalMemory ? 'totalMemory' : undefined
  }
  const looks = [
    every(MEMORY_EVERY, async () => lookAtMemory(), onLimit),
    ...(copy === undefined ? [] : [every(DISK_EVERY, watchDisk(copy, limits), onLimit)]),
  ]
  return {
    lookOnce: () => void lookAtSpace(),
    reached: () => [...reached],
    close() {
      for (const stop of looks) stop()
    },
  }
}

/** Looks again and again until a limit is exceeded or the returned function is called; less often when it is slow. */
function every(
  ms: number,
  look: () => Promise<EndingLimit | undefined>,
  onLimit: (limit: EndingLimit) => void,
): () => void {
  let isOver = false
  let timer: NodeJS.Timeout | undefined
  const again = async () => {
    const begun = performance.now()
    // A file system that cannot be asked any more, or a tree that is gone, exceeds nothing.
    const limit = await look().catch(() => undefined)
    if (isOver) return
    if (limit === undefined) timer = setTimeout(again, Math.max(ms, (performance.now() - begun) * SHARE))
    else onLimit(limit)
  }
  timer = setTimeout(again, ms)
  return () => {
    isOver = true
    clearTimeout(timer)
  }
}

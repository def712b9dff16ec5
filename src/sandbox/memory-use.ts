import { readdirSync, readFileSync, statfsSync } from 'node:fs'

/** A process and all that descends from it. */
export interface ProcessTree {
  readonly pids: readonly number[]
  /** Threads of all of them: the kernel counts these as processes. */
  readonly threads: number
}

/** What ends while it is looked at is left out. */
export function processTree(root: number): ProcessTree {
  const pids = [root]
  let threads = 0
  for (let at = 0; at < pids.length; at++) {
    const task = `/proc/${pids[at]}/task`
    for (const thread of listOf(task)) {
      threads += 1
      const children = textOf(`${task}/${thread}/children`)
      for (const child of children.split(' ')) if (child.trim() !== '') pids.push(Number(child))
    }
  }
  return { pids, threads }
}

/** Bytes of their own memory. What several of them share is counted for each, so this is the most it can be. */
export function memoryAtMost(pids: readonly number[]): number {
  return sum(pids, (pid) => fieldsIn(textOf(`/proc/${pid}/status`), /^Rss(?:Anon|Shmem):\s+(\d+) kB$/gm))
}

/** Bytes of their own memory, each shared page once; where that cannot be read, as above. Slow: it looks at every page. */
export function memoryExactly(pids: readonly number[]): number {
  return sum(pids, (pid) => {
    const text = textOf(`/proc/${pid}/smaps_rollup`)
    if (!text.includes('Pss_Anon:')) return memoryAtMost([pid])
    return fieldsIn(text, /^Pss_(?:Anon|Shmem):\s+(\d+) kB$/gm)
  })
}

export interface SpaceUse {
  readonly used: number
  /** True when one of them can take nothing more. */
  readonly full: boolean
}

/** How full the file systems in memory are, as the sandbox sees them. Empty where this user may not look into it. */
export function spaceUse(root: number, paths: readonly string[]): SpaceUse {
  const found = paths.flatMap((path) => {
    try {
      // The paths are mount points in a root that is read-only: nothing inside can lead them elsewhere.
      return [statfsSync(`/proc/${root}/root${path}`)]
    } catch {
      return []
    }
  })
  return {
    used: found.reduce((all, { blocks, bfree, bsize }) => all + (blocks - bfree) * bsize, 0),
    full: found.some(({ bfree, ffree }) => bfree === 0 || ffree === 0),
  }
}

const sum = (pids: readonly number[], of: (pid: number) => number): number =>
  pids.reduce((all, pid) => all + of(pid), 0)

const fieldsIn = (text: string, pattern: RegExp): number =>
  [...text.matchAll(pattern)].reduce((all, [, kilobytes]) => all + Number(kilobytes) * 1024, 0)

function textOf(path: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return ''
  }
}

function listOf(path: string): string[] {
  try {
    return readdirSync(path)
  } catch {
    return []
  }
}

import { lstatSync, readdirSync, type StatsFs, statfsSync } from 'node:fs'
import { pace } from './pace.ts'
import type { SandboxLimits } from './sandbox.ts'

type Bounds = Pick<SandboxLimits, 'disk' | 'files'>

/** Clocks of file systems stand still for some milliseconds at a time. */
const CLOCK_STEP = 20

/**
 * Watches how a working copy grows from now on. What is asked first is the file system as a whole, which costs nothing.
 * Others write to it too: when it grew beyond a limit, the copy itself is looked at, and it counts only if the growth lies
 * there, or if the file system is about to be full. Deleted files that are still open lie nowhere to be seen; they go with
 * the sandbox. Gives the limit that is exceeded.
 */
export function watchDisk(copy: string, { disk, files }: Bounds): () => Promise<'disk' | 'files' | undefined> {
  const since = Date.now() - CLOCK_STEP
  let before = askFileSystem(copy)
  if (before === undefined) return async () => undefined
  return async () => {
    const now = askFileSystem(copy)
    if (before === undefined || now === undefined) return undefined
    const [tooLarge, tooMany] = [bytesBetween(before, now) > disk, before.ffree - now.ffree > files]
    if (!tooLarge && !tooMany) return undefined
    if (tooLarge && now.bavail * now.bsize < disk) return 'disk'
    if (tooMany && now.ffree < files) return 'files'
    const exceeded = await exceededIn(copy, since, { disk, files })
    before = now
    return exceeded
  }
}

function askFileSystem(path: string): StatsFs | undefined {
  try {
    return statfsSync(path)
  } catch {
    return undefined
  }
}

const bytesBetween = (before: StatsFs, now: StatsFs): number => (before.bfree - now.bfree) * now.bsize

/** Counts what was made or changed since then, until one of the bounds is exceeded. Links are not followed. */
async function exceededIn(copy: string, since: number, { disk, files }: Bounds): Promise<'disk' | 'files' | undefined> {
  const turn = pace()
  const folders: Buffer[] = [Buffer.from(copy)]
  let bytes = 0
  let count = 0
  for (let folder = folders.pop(); folder !== undefined; folder = folders.pop())
    for (const name of namesIn(folder)) {
      const path = Buffer.concat([folder, SLASH, name])
      const found = look(path)
      await turn()
      if (found === undefined) continue
      if (found.isDirectory()) folders.push(path)
      if (found.ctimeMs < since) continue
      bytes += found.blocks * 512
      count += 1
      if (bytes > disk) return 'disk'
      if (count > files) return 'files'
    }
  return undefined
}

const SLASH = Buffer.from('/')

// What is gone again, closed, or too deep for a path, cannot be counted.
function namesIn(folder: Buffer): Buffer[] {
  try {
    return readdirSync(folder, { encoding: 'buffer' })
  } catch {
    return []
  }
}

function look(path: Buffer) {
  try {
    return lstatSync(path)
  } catch {
    return undefined
  }
}

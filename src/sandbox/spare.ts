import { lstatSync } from 'node:fs'
import type { Launched, LaunchPlan } from './launch.ts'

/** The one sandbox that stands before its command is known. It is used once, as any other is. */
export interface SpareSandbox {
  /** The one that waits, if it is what the command needs. It is the caller's from then on. */
  take(identity: string): Launched | undefined
  /** Starts one a moment later, unless one like it waits already by then. Another one is ended. */
  prepare(identify: () => string, launch: () => Launched): void
  /** Ends it. Resolves when it is gone. */
  close(): Promise<void>
}

/** Milliseconds until one that nobody needs is ended. */
const IDLE = 60_000

export function spareSandbox(idle: number = IDLE): SpareSandbox {
  let waiting: { readonly identity: string; readonly launched: Launched } | undefined
  let soon: NodeJS.Immediate | undefined
  let timer: NodeJS.Timeout | undefined

  function release(): Launched | undefined {
    clearImmediate(soon)
    clearTimeout(timer)
    const released = waiting?.launched
    waiting = undefined
    return released
  }
  let ending: Promise<unknown> = Promise.resolve()
  async function close(): Promise<void> {
    ending = Promise.all([ending, release()?.discard()])
    await ending
  }

  function start(identify: () => string, launch: () => Launched): void {
    const identity = identify()
    if (waiting?.identity === identity && waiting.launched.usable) return
    void close()
    try {
      const launched = launch()
      launched.rest()
      waiting = { identity, launched }
      timer = setTimeout(close, idle).unref()
    } catch {
      // The next command starts its own, and tells what is wrong.
    }
  }

  return {
    take(identity) {
      if (waiting?.identity !== identity) return undefined
      const launched = release()
      return launched?.usable ? launched : undefined
    },
    prepare(identify, launch) {
      clearImmediate(soon)
      soon = setImmediate(start, identify, launch)
      soon.unref()
    },
    close,
  }
}

/**
 * Tells whether two plans make the same sandbox. A mount stays with the file it was made of, so a path that leads to another
 * file by now makes another sandbox. (While a sandbox stands, the numbers of its files are not given to others.)
 */
export function identityOf({ program, options, network }: LaunchPlan): string {
  const sources = options.flatMap((option, i) => (BINDS.has(option) ? [options[i + 1] ?? ''] : []))
  return JSON.stringify([program, options, network?.allowed, sources.map(numberOf)])
}

const BINDS: ReadonlySet<string> = new Set(['--bind', '--ro-bind', '--ro-bind-try'])

function numberOf(path: string): string {
  try {
    const { dev, ino } = lstatSync(path, { bigint: true })
    return `${dev}:${ino}`
  } catch {
    return 'none'
  }
}

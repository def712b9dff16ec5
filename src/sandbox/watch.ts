import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { type Capture, capture } from './capture.ts'
import { type Gate, openGate } from './gate.ts'
import type { CommandResult, SandboxLimits } from './sandbox.ts'

// Milliseconds. Both are far above what a busy machine needs; no wait may be endless.
export const START_LIMIT = 20_000
export const STOP_LIMIT = 10_000
const LONGEST_TIMER = 2 ** 31 - 1

/** What made a sandbox end. `end`: its command did. */
export type Cause = 'end' | 'wallTime' | 'output' | 'abort' | 'start'

/** Everything that can end a sandbox: its command, a limit, an abort. The first of them counts. */
export interface Watch {
  readonly gate: Gate
  readonly cause: Cause | undefined
  /** Resolves when a sandbox that was told to end has not. */
  readonly stuck: Promise<void>
  /** After the end, and only when the command has started. */
  result(): CommandResult
  /** What was written to standard error: before the command starts, it is bubblewrap's. */
  words(): string
  close(): void
}

export interface WatchOptions {
  readonly child: ChildProcess
  /** Descriptors of the two lines to the sandbox. */
  readonly lines: { readonly gate: number; readonly status: number }
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
  /** Told once, when the sandbox waits behind its gate: nothing before that is left to watch over. */
  readonly onReady: () => void
}

export function watchOver({ child, lines, limits, signal, onReady }: WatchOptions): Watch {
  const [out, err] = [capture(limits.keep), capture(limits.keep)]
  const isTooMuch = () => out.bytes + err.bytes > limits.output
  const { promise: stuck, resolve: isStuck } = Promise.withResolvers<void>()
  const timers = openTimers()
  let cause: Cause | undefined
  let startedAt = 0
  let endedAt = 0

  const stop = (why: Cause) => {
    if (cause !== undefined) return
    cause = why
    endedAt = performance.now()
    timers.clear()
    gate.stop()
    timers.after(STOP_LIMIT, isStuck)
  }
  const gate = openGate(child.stdio[lines.gate] as Duplex, child.stdio[lines.status] as Readable, {
    onReady,
    onStart() {
      timers.clear()
      startedAt = performance.now()
      timers.after(limits.wallTime, () => stop('wallTime'))
    },
    onEnd: () => stop('end'),
  })
  const take = (to: Capture) => (chunk: Uint8Array) => {
    if (isTooMuch()) return
    to.push(chunk)
    if (isTooMuch()) stop('output')
  }
  const onAbort = () => stop('abort')
  timers.after(START_LIMIT, () => stop('start'))
  child.stdout?.on('data', take(out)).on('error', () => {})
  child.stderr?.on('data', take(err)).on('error', () => {})
  signal.addEventListener('abort', onAbort)

  return {
    gate,
    stuck,
    get cause() {
      return cause
    },
    words: () => err.finish().text,
    result: () => ({
      exit: gate.ended?.exit ?? gate.recorded ?? 137,
      stdout: out.finish(),
      stderr: err.finish(),
      durationMs: (endedAt || performance.now()) - startedAt,
      ...(cause === 'wallTime' ? { limit: cause } : isTooMuch() ? { limit: 'output' } : {}),
      // Without its word, what ran first inside was killed by the command: nobody counted what was left.
      leftovers: gate.ended?.leftovers ?? cause === undefined,
    }),
    close() {
      signal.removeEventListener('abort', onAbort)
      timers.clear()
    },
  }
}

interface Timers {
  after(ms: number, then: () => void): void
  clear(): void
}

function openTimers(): Timers {
  const open = new Set<NodeJS.Timeout>()
  return {
    after: (ms, then) => {
      open.add(setTimeout(then, Math.min(ms, LONGEST_TIMER)))
    },
    clear() {
      for (const timer of open) clearTimeout(timer)
      open.clear()
    },
  }
}

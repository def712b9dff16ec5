import type { ChildProcess } from 'node:child_process'
import type { Duplex, Readable } from 'node:stream'
import { capture } from './capture.ts'
import { type Gate, openGate } from './gate.ts'
import type { CommandResult, EndingLimit, SandboxLimits } from './sandbox.ts'
import { type Watchdog, watchdog } from './watchdog.ts'

// Milliseconds. Both are far above what a busy machine needs; no wait may be endless.
export const START_LIMIT = 60_000
export const STOP_LIMIT = 10_000
const LONGEST_TIMER = 2 ** 31 - 1
/** Bytes of what bubblewrap itself has to say. */
const WORDS_KEPT = 8_192

/** What made a sandbox end. `end`: its command did. `unused`: none came. */
export type Cause = 'end' | EndingLimit | 'abort' | 'start' | 'unused'

/** The one command of a sandbox, and its bounds. */
export interface Assignment {
  /** As what runs first inside reads it. */
  readonly order: string
  readonly limits: SandboxLimits
  readonly signal: AbortSignal
  /** Host path of the working copy. */
  readonly copy?: string
}

/** Everything that can end a sandbox: its command, a limit, an abort. The first of them counts. */
export interface Watch {
  readonly gate: Gate
  readonly cause: Cause | undefined
  /**
   * Resolves when all is known of a command that ended by itself: its exit code, every byte that it wrote, and that none of
   * its processes is left.
   */
  readonly told: Promise<void>
  /** Resolves when a sandbox that was told to end has not. */
  readonly stuck: Promise<void>
  /** Once. */
  assign(assignment: Assignment): void
  /** Ends a sandbox that got no command. */
  discard(): void
  /** After the end, and only when the command has started. */
  result(): CommandResult
  /** What bubblewrap itself wrote to standard error. */
  words(): string
  close(): void
}

export interface WatchOptions {
  readonly child: ChildProcess
  /** Descriptors of the two lines to the sandbox, and of what the command writes. */
  readonly lines: { readonly gate: number; readonly status: number; readonly stdout: number; readonly stderr: number }
  /** Told once, when the sandbox waits behind its gate: nothing before that is left to watch over. */
  readonly onReady: () => void
}

export function watchOver({ child, lines, onReady }: WatchOptions): Watch {
  const bwrap = capture(WORDS_KEPT)
  const { promise: stuck, resolve: isStuck } = Promise.withResolvers<void>()
  const { promise: told, resolve: isTold } = Promise.withResolvers<void>()
  const [stdout, stderr] = [child.stdio[lines.stdout] as Readable, child.stdio[lines.stderr] as Readable]
  const timers = openTimers()
  let cause: Cause | undefined
  let course: Course | undefined

  const stop = (why: Cause) => {
    if (cause !== undefined) return
    cause = why
    timers.clear()
    course?.end(why === 'end')
    gate.stop()
    timers.after(STOP_LIMIT, isStuck)
  }
  const gate = openGate(child.stdio[lines.gate] as Duplex, child.stdio[lines.status] as Readable, {
    onReady,
    onStart() {
      if (course === undefined || gate.root === undefined) return
      timers.clear()
      timers.after(course.assignment.limits.wallTime, () => stop('wallTime'))
      course.begin(gate.root.pid, stop)
    },
    async onEnd() {
      await Promise.all([untilClosed(stdout), untilClosed(stderr)])
      stop('end')
      if (cause === 'end' && gate.ended?.leftovers === false) isTold()
    },
  })
  const startInTime = () => timers.after(START_LIMIT, () => gate.waits || stop('start'))
  const onAbort = () => stop('abort')
  startInTime()
  onChunk(stdout, (chunk) => course?.take('out', chunk) === false && stop('output'))
  onChunk(stderr, (chunk) => course?.take('err', chunk) === false && stop('output'))
  onChunk(child.stderr, bwrap.push)

  return {
    ...{ gate, told, stuck },
    get cause() {
      return cause
    },
    assign(assignment) {
      course = openCourse(assignment)
      assignment.signal.addEventListener('abort', onAbort)
      gate.order(assignment.order)
      if (!gate.started) startInTime()
    },
    discard: () => stop('unused'),
    words: () => bwrap.finish().text,
    result: () => course?.result(gate, cause) ?? noCommand(),
    close() {
      course?.assignment.signal.removeEventListener('abort', onAbort)
      course?.end(false)
      timers.clear()
    },
  }
}

function noCommand(): never {
  throw new Error('The sandbox got no command.')
}

const untilClosed = (stream: Readable): Promise<void> =>
  stream.closed ? Promise.resolve() : new Promise((resolve) => stream.once('close', resolve))

function onChunk(stream: Readable | null, then: (chunk: Uint8Array) => unknown): void {
  stream?.on('data', then)
  stream?.on('error', () => {}) // It breaks when the sandbox ends; the end itself is seen elsewhere.
}

/** What is kept of a command while it runs. */
interface Course {
  readonly assignment: Assignment
  /** False when that is more than it may write; then it is not kept. */
  take(stream: 'out' | 'err', chunk: Uint8Array): boolean
  begin(root: number, onLimit: (limit: EndingLimit) => void): void
  /** The first time counts. `stands`: there is still something to be looked at. */
  end(stands: boolean): void
  result(gate: Gate, cause: Cause | undefined): CommandResult
}

function openCourse(assignment: Assignment): Course {
  const { limits, copy } = assignment
  const streams = { out: capture(limits.keep), err: capture(limits.keep) }
  const { out, err } = streams
  const isTooMuch = () => out.bytes + err.bytes > limits.output
  let [startedAt, endedAt] = [0, 0]
  let dog: Watchdog | undefined
  return {
    assignment,
    take(stream, chunk) {
      if (!isTooMuch()) streams[stream].push(chunk)
      return !isTooMuch()
    },
    begin(root, onLimit) {
      startedAt = performance.now()
      dog = watchdog({ root, limits, onLimit, ...(copy === undefined ? {} : { copy }) })
    },
    end(stands) {
      endedAt ||= performance.now()
      if (stands) dog?.lookOnce()
      dog?.close()
    },
    result(gate, cause) {
      const limit = isTooMuch() ? 'output' : limitOf(cause)
      return {
        exit: gate.ended?.exit ?? gate.recorded ?? 137,
        stdout: out.finish(),
        stderr: err.finish(),
        durationMs: endedAt - startedAt,
        ...(limit === undefined ? {} : { limit }),
        reached: dog?.reached() ?? [],
        // Without its word, what ran first inside was killed by the command: nobody counted what was left.
        leftovers: gate.ended?.leftovers ?? cause === undefined,
      }
    },
  }
}

const NO_LIMIT: ReadonlySet<Cause> = new Set(['end', 'abort', 'start', 'unused'] as const)

const isLimit = (cause: Cause): cause is EndingLimit => !NO_LIMIT.has(cause)

const limitOf = (cause: Cause | undefined): EndingLimit | undefined =>
  cause !== undefined && isLimit(cause) ? cause : undefined

interface Timers {
  after(ms: number, then: () => void): void
  clear(): void
}

/** What somebody waits for is the sandbox's process; these keep nothing alive for a sandbox that only waits itself. */
function openTimers(): Timers {
  const open = new Set<NodeJS.Timeout>()
  return {
    after: (ms, then) => {
      open.add(setTimeout(then, Math.min(ms, LONGEST_TIMER)).unref())
    },
    clear() {
      for (const timer of open) clearTimeout(timer)
      open.clear()
    },
  }
}

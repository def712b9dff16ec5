import { type ChildProcess, spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { closeSync } from 'node:fs'
import { Socket } from 'node:net'
import { constants } from 'node:os'
import { describeError } from '../core/error.ts'
import { type Capture, capture } from './capture.ts'
import { watchDisk } from './disk-use.ts'
import type { CommandPlace, Ends } from './external-place.ts'
import { killMembers, type Membership, settle } from './external-processes.ts'
import { memoryAtMost, processTree } from './memory-use.ts'
import { type CommandResult, type EndingLimit, SandboxError, type SandboxLimits } from './sandbox.ts'
import type { SandboxUser } from './user.ts'

/** One command, ready to be started. */
export interface ExternalStart {
  readonly argv: readonly string[]
  readonly environment: Readonly<Record<string, string>>
  /** The working copy, or an empty folder. */
  readonly folder: string
  readonly place: CommandPlace
  readonly user: SandboxUser
  readonly limits: SandboxLimits
}

/** Bounds that the kernel keeps, and then the command in place of this shell. */
const SHELL = `
umask 022
echo 1000 2>/dev/null >/proc/self/oom_score_adj
cpu=$1 processes=$2 memory=$3 file=$4
shift 4
[[ $1 == */* ]] || type -P -- "$1" >/dev/null || { printf '%s: command not found\\n' "$1" >&2; exit 127; }
ulimit -c 0; ulimit -n 1024; ulimit -f "$file"; ulimit -v "$memory"
ulimit -S -t "$cpu"; ulimit -H -t "$((cpu + 2))"
[ "$processes" = - ] || ulimit -u "$processes"
unset SHLVL OLDPWD
exec -- "$@"
`

const LOOK_EVERY = 50
const LONGEST_TIMER = 2 ** 31 - 1
/** Milliseconds for the last bytes, once every process is gone. */
const DRAIN = 2_000

type Cause = 'end' | EndingLimit | 'abort'

/** Runs it in a session of its own, and ends every process of it before it resolves. */
export async function runExternal(start: ExternalStart, signal: AbortSignal): Promise<CommandResult> {
  const { limits, place, folder } = start
  const [out, err] = [capture(limits.keep), capture(limits.keep)]
  const mark = `TAO_COMMAND=${randomUUID()}`
  const began = performance.now()
  const { promise: over, resolve: stop } = Promise.withResolvers<Cause>()
  const isTooMuch = (): boolean => out.bytes + err.bytes > limits.output
  const take = (to: Capture) => (chunk: Uint8Array) => {
    if (!isTooMuch()) to.push(chunk)
    if (isTooMuch()) stop('output')
  }
  const streams = [drain(place.out, take(out)), drain(place.err, take(err))]
  const onAbort = () => stop('abort')
  let timer: NodeJS.Timeout | undefined
  let looking: Looking | undefined
  try {
    const child = spawnCommand(start, mark)
    const exited = exitOf(child)
    if (child.pid === undefined) return await Promise.reject(await exited.catch((error: unknown) => error))
    const membership: Membership = { session: child.pid, mark }
    exited.finally(() => stop('end')).catch(() => {})
    timer = setTimeout(() => stop('wallTime'), Math.min(limits.wallTime, LONGEST_TIMER))
    looking = lookAt(membership, { limits, folder, onLimit: stop })
    signal.addEventListener('abort', onAbort)
    if (signal.aborted) stop('abort')
    const cause = await over
    const durationMs = performance.now() - began
    const leftovers = cause === 'end' && (await settle(membership))
    if (!(await killMembers(membership)))
      throw new SandboxError('Processes of a command did not end when they were killed.')
    const exit = await exited
    await Promise.race([Promise.all(streams.map(({ ended }) => ended)), later(DRAIN)])
    if (cause === 'abort') throw signal.reason
    const limit = isTooMuch() ? 'output' : cause === 'end' ? undefined : cause
    return {
      exit,
      stdout: out.finish(),
      stderr: err.finish(),
      durationMs,
      ...(limit === undefined ? {} : { limit }),
      reached: [],
      leftovers,
    }
  } finally {
    clearTimeout(timer)
    looking?.close()
    signal.removeEventListener('abort', onAbort)
    for (const { stream } of streams) stream.destroy()
  }
}

function spawnCommand({ argv, environment, folder, place, user, limits }: ExternalStart, mark: string): ChildProcess {
  const { cpuTime, processes, memory, fileSize } = limits
  const [cpu, count, space, file] = [cpuTime, processes, memory / 1024, fileSize / 1024].map((value) =>
    Math.ceil(value),
  )
  // Counted for the whole user: only one that is nobody else's can be bounded so.
  const words = [cpu, user.dropped ? count : '-', space, file].map(String)
  const [name = '', value = ''] = mark.split('=')
  try {
    return spawn('/bin/bash', ['--norc', '--noprofile', '-c', SHELL, 'command', ...words, ...argv], {
      cwd: folder,
      env: { ...environment, [name]: value },
      detached: true,
      stdio: [place.input, place.out.write, place.err.write],
      ...(user.dropped ? { uid: user.uid, gid: user.gid } : {}),
    })
  } catch (error) {
    throw new SandboxError(`The command could not be started: ${describeError(error)}`)
  } finally {
    for (const descriptor of [place.input, place.out.write, place.err.write])
      if (typeof descriptor === 'number') closeSync(descriptor)
  }
}

/** As a shell says it. */
function exitOf(child: ChildProcess): Promise<number> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(new SandboxError(`The command could not be started: ${describeError(error)}`)))
    child.on('exit', (code, signal) => resolve(code ?? 128 + (signal === null ? 0 : constants.signals[signal])))
  })
}

function drain({ read }: Ends, take: (chunk: Uint8Array) => void): { stream: Socket; ended: Promise<void> } {
  const stream = new Socket({ fd: read, readable: true, writable: false })
  const ended = new Promise<void>((resolve) => {
    stream.on('close', () => resolve()).on('error', () => resolve())
  })
  stream.on('data', take)
  return { stream, ended }
}

interface Looking {
  close(): void
}

interface LookOptions {
  readonly limits: SandboxLimits
  readonly folder: string
  readonly onLimit: (limit: EndingLimit) => void
}

/** Looks at what the kernel bounds for single processes only. */
function lookAt({ session }: Membership, { limits, folder, onLimit }: LookOptions): Looking {
  const disk = watchDisk(folder, limits)
  let isLooking = false
  const timer = setInterval(async () => {
    if (isLooking) return
    isLooking = true
    const { pids } = processTree(session)
    if (memoryAtMost(pids) > limits.totalMemory) onLimit('totalMemory')
    const limit = await disk().catch(() => undefined)
    if (limit !== undefined) onLimit(limit)
    isLooking = false
  }, LOOK_EVERY)
  return { close: () => clearInterval(timer) }
}

const later = (ms: number): Promise<void> =>
  new Promise((resolve) => {
    setTimeout(resolve, ms).unref()
  })

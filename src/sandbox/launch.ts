import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import type { Duplex, Writable } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import { describeError } from '../core/error.ts'
import { diagnoseFailure, installFix } from './diagnosis.ts'
import { readHost } from './host.ts'
import { untilGone } from './process.ts'
import { type CommandResult, SandboxError, type SandboxLimits } from './sandbox.ts'
import type { SandboxUser } from './user.ts'
import { START_LIMIT, STOP_LIMIT, type Watch, watchOver } from './watch.ts'

/** Everything that one start of bubblewrap needs. */
export interface LaunchPlan {
  readonly program: string
  /** Bubblewrap's own options. They go through a pipe, so that they cannot be read inside. */
  readonly options: readonly string[]
  /** What runs inside. */
  readonly argv: readonly string[]
  /** Bytes by the descriptor that bubblewrap reads them on. */
  readonly data: Readonly<Record<number, string | Uint8Array>>
  readonly user: SandboxUser
  readonly limits: SandboxLimits
}

export const DESCRIPTORS = {
  ...{ options: 3, seccomp: 4, passwd: 5, group: 6, gate: 7, status: 8 },
  ...{ guard: 9, hosts: 10, stdin: 11 },
}

/**
 * Bubblewrap forks and then tells its child to go on. When Tao is killed in between, bubblewrap ends with it and the child
 * waits for ever. So until the handshake somebody watches over their process group: without the word that the sandbox waits
 * behind its gate, the end of Tao ends them all. From then on the gate does it.
 */
const GUARD = `{ read -r word <&${DESCRIPTORS.guard} || kill -KILL 0; } & exec "$@" ${DESCRIPTORS.guard}<&-`

/** Starts, waits until every process of it is gone, and tells the sandbox's failure from the command's. */
export async function launch(plan: LaunchPlan, signal: AbortSignal): Promise<CommandResult> {
  // The kernel ends a sandbox with the thread that started it.
  if (!isMainThread) throw new SandboxError('A sandbox can be started from the main thread only.')
  signal.throwIfAborted()
  const child = start(plan)
  const guard = child.stdio[DESCRIPTORS.guard] as Duplex
  guard.on('error', () => {}) // It breaks when the sandbox ends first.
  child.on('exit', () => guard.destroy())
  const onReady = () => guard.end('ready\n')
  const watch = watchOver({ child, lines: DESCRIPTORS, limits: plan.limits, signal, onReady })
  try {
    await Promise.race([untilClosed(child), watch.stuck.then(() => giveUp(child))])
    watch.gate.stop()
    const { root } = watch.gate
    if (root !== undefined && !(await untilGone(root, STOP_LIMIT))) throw notEnded()
  } finally {
    watch.close()
  }
  return resultOf(watch, signal)
}

function start(plan: LaunchPlan): ChildProcess {
  const { dropped, uid, gid } = plan.user
  const { program } = plan
  if (!existsSync(program)) throw notInstalled(program)
  const words = [program, '--args', `${DESCRIPTORS.options}`, '--', ...plan.argv]
  let child: ChildProcess
  try {
    child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
      // Bubblewrap is a process inside as well, and its first environment can be read there.
      env: {},
      cwd: '/',
      // Keys pressed in Tao's terminal are signals for Tao, which then ends its sandboxes itself.
      detached: true,
      stdio: ['ignore', ...Array<'pipe'>(Math.max(...Object.values(DESCRIPTORS))).fill('pipe')],
      ...(dropped ? { uid, gid } : {}),
    })
  } catch (error) {
    throw cannotStart(error)
  }
  const options = plan.options.map((option) => `${option}\0`).join('')
  for (const [descriptor, bytes] of Object.entries({ ...plan.data, [DESCRIPTORS.options]: options })) {
    const pipe = child.stdio[Number(descriptor)] as Writable | undefined
    pipe?.on('error', () => {}) // Bubblewrap ended before it had read; its end says why.
    pipe?.end(bytes)
  }
  return child
}

/** Rejects when there was no start. */
function untilClosed(child: ChildProcess): Promise<void> {
  return new Promise((resolve, reject) => {
    child.on('error', (error) => reject(cannotStart(error)))
    child.on('close', () => resolve())
  })
}

function giveUp(child: ChildProcess): never {
  child.kill('SIGKILL')
  throw notEnded()
}

function resultOf(watch: Watch, signal: AbortSignal): CommandResult {
  const { cause, gate } = watch
  if (cause === 'abort') throw signal.reason
  if (cause === 'start') throw new SandboxError(`The sandbox did not start within ${START_LIMIT / 1000} seconds.`)
  if (!gate.started) throw setUpFailed(watch.words())
  // Bubblewrap records how the command ended, unless it was itself ended before. A limit ends both.
  if (cause === undefined && gate.recorded === undefined)
    throw new SandboxError('The sandbox was ended from outside while its command ran.')
  return watch.result()
}

const cannotStart = (error: unknown): SandboxError =>
  new SandboxError(`bubblewrap could not be started: ${describeError(error)}`)

const notInstalled = (program: string): SandboxError =>
  new SandboxError(`bubblewrap is not installed: there is no ${program}.`, installFix('bubblewrap', readHost()))

const notEnded = (): SandboxError =>
  new SandboxError(
    'A sandbox did not end when it was killed.',
    'Look for processes that hang, with: ps -ef | grep bwrap',
  )

function setUpFailed(words: string): SandboxError {
  const line = words.trim().split('\n')[0]?.slice(0, 300) ?? ''
  const { problem, fix } = diagnoseFailure(line, readHost())
  return new SandboxError(problem, fix)
}

import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { Socket } from 'node:net'
import type { Duplex, Writable } from 'node:stream'
import { isMainThread } from 'node:worker_threads'
import { describeError } from '../core/error.ts'
import { diagnoseFailure } from './diagnosis.ts'
import { readHost } from './host.ts'
import { installFix } from './install-fix.ts'
import { type NetworkPlan, serveSandbox } from './network.ts'
import { untilGone } from './process.ts'
import { type CommandResult, SandboxError } from './sandbox.ts'
import type { SandboxUser } from './user.ts'
import { type Assignment, START_LIMIT, STOP_LIMIT, type Watch, watchOver } from './watch.ts'

/** Everything that one start of bubblewrap needs; nothing of the command that it is for. */
export interface LaunchPlan {
  readonly program: string
  /** Bubblewrap's own options. They go through a pipe, so that they cannot be read inside. */
  readonly options: readonly string[]
  /** What runs inside. */
  readonly argv: readonly string[]
  /** Bytes by the descriptor that bubblewrap reads them on. */
  readonly data: Readonly<Record<number, string | Uint8Array>>
  readonly user: SandboxUser
  /** Without it there is no network. */
  readonly network?: NetworkPlan
}

/** A sandbox that stands, or is about to, and takes one command. */
export interface Launched {
  /** False once it has ended or is ending. */
  readonly usable: boolean
  /**
   * Once. Waits until the command and everything that it left behind is gone, and tells the sandbox's failure from the
   * command's. What Tao itself put around the command may end a moment later.
   */
  run(assignment: Assignment, stdin: string | undefined): Promise<CommandResult>
  /** Resolves when nothing of it is left, however it ended. */
  readonly gone: Promise<void>
  /** From here on it keeps Tao's process alive no longer, until its command comes. */
  rest(): void
  /** Ends it without a command. Resolves when it is gone. */
  discard(): Promise<void>
}

export const DESCRIPTORS = {
  ...{ options: 3, seccomp: 4, passwd: 5, group: 6, gate: 7, status: 8 },
  ...{ guard: 9, hosts: 10, stdin: 11, stdout: 12, stderr: 13 },
}

/**
 * Bubblewrap forks and then tells its child to go on. When Tao is killed in between, bubblewrap ends with it and the child
 * waits for ever. So until the handshake somebody watches over their process group: without the word that the sandbox waits
 * behind its gate, the end of Tao ends them all. From then on the gate does it.
 */
export const GUARD = `{ read -r word <&${DESCRIPTORS.guard} || kill -KILL 0; } & exec "$@" ${DESCRIPTORS.guard}<&-`

export function launch(plan: LaunchPlan): Launched {
  // The kernel ends a sandbox with the thread that started it.
  if (!isMainThread) throw new SandboxError('A sandbox can be started from the main thread only.')
  const child = start(plan)
  const guard = child.stdio[DESCRIPTORS.guard] as Duplex
  child.on('exit', () => guard.destroy())
  const proxy = plan.network === undefined ? undefined : serveSandbox(child, plan.network)
  const watch = watchOver({ child, lines: DESCRIPTORS, onReady: () => guard.end('ready\n') })
  let isOver = false
  const end = untilOver(child, watch).finally(() => {
    isOver = true
    watch.close()
  })
  const gone = end.catch(() => {}) // Whoever runs or discards hears of it.
  return {
    gone,
    get usable() {
      return !isOver && watch.cause === undefined
    },
    async run(assignment, stdin) {
      for (const handle of handlesOf(child)) handle.ref()
      watch.assign(assignment)
      const input = child.stdio[DESCRIPTORS.stdin] as Duplex
      input.end(stdin ?? '')
      await Promise.race([end, watch.told])
      const unreached = proxy?.unreached ?? []
      return { ...resultOf(watch, assignment.signal), ...(unreached.length === 0 ? {} : { unreached }) }
    },
    rest() {
      for (const handle of handlesOf(child)) handle.unref()
    },
    async discard() {
      for (const handle of handlesOf(child)) handle.ref()
      watch.discard()
      await gone
    },
  }
}

async function untilOver(child: ChildProcess, watch: Watch): Promise<void> {
  await Promise.race([untilClosed(child), watch.stuck.then(() => giveUp(child))])
  watch.gate.stop()
  const { root } = watch.gate
  if (root !== undefined && !(await untilGone(root, STOP_LIMIT))) throw notEnded()
}

const handlesOf = (child: ChildProcess): (ChildProcess | Socket)[] => [
  child,
  ...child.stdio.filter((stream) => stream instanceof Socket),
]

function start(plan: LaunchPlan): ChildProcess {
  const { dropped, uid, gid } = plan.user
  const { program } = plan
  if (!existsSync(program)) throw notInstalled(program)
  const words = [program, '--args', `${DESCRIPTORS.options}`, '--', ...plan.argv]
  const channel = plan.network === undefined ? [] : (['ipc'] as const)
  let child: ChildProcess
  try {
    child = spawn('/bin/sh', ['-c', GUARD, 'sh', ...words], {
      // Bubblewrap is a process inside as well, and its first environment can be read there.
      env: {},
      cwd: '/',
      // Keys pressed in Tao's terminal are signals for Tao, which then ends its sandboxes itself.
      detached: true,
      // What the command writes has descriptors of its own: bubblewrap holds on to these until it ends.
      stdio: [
        'ignore',
        'ignore',
        ...Array<'pipe'>(Math.max(...Object.values(DESCRIPTORS)) - 1).fill('pipe'),
        ...channel,
      ],
      ...(dropped ? { uid, gid } : {}),
    })
  } catch (error) {
    throw cannotStart(error)
  }
  // They break when the sandbox ends first; its end says why.
  for (const stream of child.stdio) stream?.on('error', () => {})
  const options = plan.options.map((option) => `${option}\0`).join('')
  for (const [descriptor, bytes] of Object.entries({ ...plan.data, [DESCRIPTORS.options]: options })) {
    const pipe = child.stdio[Number(descriptor)] as Writable | undefined
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

import { existsSync, readlinkSync, statSync } from 'node:fs'
import { expectMountable, notStarted, whyNotStartable } from './arguments.ts'
import { diagnosePlatform } from './diagnosis.ts'
import { readHost } from './host.ts'
import { INIT, orderFor } from './init.ts'
import { DESCRIPTORS, type Launched, type LaunchPlan, launch } from './launch.ts'
import { probe } from './probe.ts'
import { NODE_INSIDE, profileArguments, type SystemFolder } from './profile.ts'
import type { ProxyOptions } from './proxy.ts'
import { reachableSource } from './reachable.ts'
import { type Command, type CommandResult, DEFAULT_SANDBOX_LIMITS, type Sandbox, SandboxError } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { identityOf, spareSandbox } from './spare.ts'
import { type SandboxUser, sandboxUser } from './user.ts'
import { mountedView } from './view.ts'

const INSIDE_ID = 1000

const PASSWD = `root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:${INSIDE_ID}:${INSIDE_ID}:agent:/home/agent:/bin/bash\n`
const GROUP = `root:x:0:\nagent:x:${INSIDE_ID}:\n`
const HOSTS = '127.0.0.1 localhost sandbox\n::1 localhost\n'

export interface BubblewrapOptions {
  /** Absolute path of `bwrap`. Default: where distributions put it. */
  readonly program?: string
  /** Starts the next sandbox when a command has ended, so that it stands when the next command comes. Default: false. */
  readonly ahead?: boolean
  /** How hosts are looked up and reached, for commands that may. */
  readonly network?: ProxyOptions
}

/** Commands in namespaces of their own, made by bubblewrap; Linux only. Each has a sandbox that is used for nothing else. */
export function bubblewrap(options: BubblewrapOptions = {}): Sandbox {
  const { ahead = false } = options
  const spare = spareSandbox()
  const ending = new Set<Promise<void>>()
  let running = 0
  let isOpen = true
  let machine: Machine | undefined // It stays what it is.

  const run = async (command: Command, signal: AbortSignal): Promise<CommandResult> => {
    signal.throwIfAborted()
    const problem = whyNotStartable(command.argv)
    if (problem !== undefined) return notStarted(problem)
    machine ??= readMachine()
    const plan = await planFor(machine, command, options)
    signal.throwIfAborted()
    running += 1
    const launched = spare.take(identityOf(plan)) ?? launch(plan)
    ending.add(launched.gone)
    void launched.gone.then(() => ending.delete(launched.gone))
    const result = await runOnce(launched, command, signal).finally(() => {
      running -= 1
    })
    if (ahead && isOpen && running === 0 && command.once !== true)
      spare.prepare(
        () => identityOf(plan),
        () => launch(plan),
      )
    return result
  }
  return {
    name: 'bubblewrap',
    run,
    probe: () => probe(run),
    async close() {
      isOpen = false
      await Promise.all([spare.close(), ...ending])
    },
  }
}

/** Where distributions put it. The search path is not used: whoever can change it could replace the sandbox. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

const findProgram = (): string => PLACES.find((path) => existsSync(path)) ?? '/usr/bin/bwrap'

async function runOnce(
  launched: Launched,
  { argv, view, stdin, limits: given }: Command,
  signal: AbortSignal,
): Promise<CommandResult> {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...given }
  const order = orderFor(argv, limits, stdin !== undefined)
  const assignment = { order, limits, signal, ...(view === undefined ? {} : { copy: view.copy }) }
  return launched.run(assignment, stdin)
}

/** What is the same for every start on this machine. */
interface Machine {
  readonly user: SandboxUser
  readonly systemFolders: readonly SystemFolder[]
  readonly data: LaunchPlan['data']
}

function readMachine(): Machine {
  const found = diagnosePlatform(readHost())
  if (found !== undefined) throw new SandboxError(found.problem, found.fix)
  const data = {
    [DESCRIPTORS.seccomp]: seccompFilter(),
    [DESCRIPTORS.passwd]: PASSWD,
    [DESCRIPTORS.group]: GROUP,
    [DESCRIPTORS.hosts]: HOSTS,
  }
  return { user: sandboxUser(), systemFolders: systemFolders(), data }
}

/** Looks at everything that is mounted, each time anew: a sandbox that stands already must be exactly what is asked for. */
async function planFor(machine: Machine, command: Command, options: BubblewrapOptions): Promise<LaunchPlan> {
  const { user, systemFolders, data } = machine
  const view = command.view === undefined ? undefined : await mountedView(command.view)
  const seen = Object.entries({ ...command.readOnly, [NODE_INSIDE]: process.execPath })
  const profile = profileArguments({
    uid: INSIDE_ID,
    gid: INSIDE_ID,
    limits: { ...DEFAULT_SANDBOX_LIMITS, ...command.limits },
    systemFolders,
    ...(view === undefined ? {} : { view }),
    readOnly: await Promise.all(seen.map(([path, source]) => shown(path, source, user))),
    descriptors: DESCRIPTORS,
    network: command.network !== undefined,
  })
  return {
    program: options.program ?? findProgram(),
    options: profile,
    argv: ['/bin/bash', '--norc', '--noprofile', '-c', INIT, 'sandbox'],
    data,
    user,
    ...(command.network === undefined ? {} : { network: { allowed: command.network, options: options.network ?? {} } }),
  }
}

async function shown(path: string, source: string, user: SandboxUser): Promise<{ path: string; source: string }> {
  if (path !== NODE_INSIDE) expectMountable(path, source)
  return { path, source: await reachableSource(source, user) }
}

function systemFolders(): SystemFolder[] {
  return ['/bin', '/sbin', '/lib', '/lib64', '/lib32'].flatMap((path) => {
    try {
      return [{ path, link: readlinkSync(path) }]
    } catch {
      return statSync(path, { throwIfNoEntry: false }) === undefined ? [] : [{ path }]
    }
  })
}

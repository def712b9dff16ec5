import { existsSync, readlinkSync, statSync } from 'node:fs'
import { expectMountable, whyNotStartable } from './arguments.ts'
import { diagnosePlatform } from './diagnosis.ts'
import { readHost } from './host.ts'
import { INIT } from './init.ts'
import { DESCRIPTORS, launch } from './launch.ts'
import { probe } from './probe.ts'
import { NODE_INSIDE, profileArguments, type SystemFolder } from './profile.ts'
import { reachableSource } from './reachable.ts'
import {
  type Command,
  type CommandResult,
  DEFAULT_SANDBOX_LIMITS,
  type Sandbox,
  SandboxError,
  type SandboxLimits,
} from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { type SandboxUser, sandboxUser } from './user.ts'
import { mountedView } from './view.ts'

const INSIDE_ID = 1000

const PASSWD = `root:x:0:0:root:/root:/usr/sbin/nologin\nagent:x:${INSIDE_ID}:${INSIDE_ID}:agent:/home/agent:/bin/bash\n`
const GROUP = `root:x:0:\nagent:x:${INSIDE_ID}:\n`
const HOSTS = '127.0.0.1 localhost sandbox\n::1 localhost\n'

/** Commands in namespaces of their own, made by bubblewrap; Linux only. `program`: absolute path of `bwrap`. */
export function bubblewrap(options: { readonly program?: string } = {}): Sandbox {
  const run = async (command: Command, signal: AbortSignal): Promise<CommandResult> => {
    signal.throwIfAborted()
    const problem = whyNotStartable(command.argv)
    if (problem !== undefined) return notStarted(problem)
    const platform = diagnosePlatform(readHost())
    if (platform !== undefined) throw new SandboxError(platform.problem, platform.fix)
    return runInside(options.program ?? findProgram(), command, signal)
  }
  return { name: 'bubblewrap', run, probe: () => probe(run) }
}

/** Where distributions put it. The search path is not used: whoever can change it could replace the sandbox. */
const PLACES = ['/usr/bin/bwrap', '/bin/bwrap', '/usr/local/bin/bwrap', '/run/current-system/sw/bin/bwrap']

const findProgram = (): string => PLACES.find((path) => existsSync(path)) ?? '/usr/bin/bwrap'

/** The answer a shell gives to a command that the kernel does not take. */
function notStarted(problem: string): CommandResult {
  const text = `cannot run the command: ${problem}\n`
  return {
    exit: 126,
    stdout: { text: '', bytes: 0, truncated: false },
    stderr: { text, bytes: Buffer.byteLength(text), truncated: false },
    durationMs: 0,
    leftovers: false,
  }
}

async function runInside(program: string, command: Command, signal: AbortSignal): Promise<CommandResult> {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...command.limits }
  const user = sandboxUser()
  const view = command.view === undefined ? undefined : await mountedView(command.view)
  const seen = Object.entries({ ...command.readOnly, [NODE_INSIDE]: process.execPath })
  const { gate: _gate, guard: _guard, options: _options, stdin, ...descriptors } = DESCRIPTORS
  const options = profileArguments({
    uid: INSIDE_ID,
    gid: INSIDE_ID,
    limits,
    systemFolders: systemFolders(),
    ...(view === undefined ? {} : { view }),
    readOnly: await Promise.all(seen.map(([path, source]) => shown(path, source, user))),
    descriptors: { ...descriptors, ...(command.stdin === undefined ? {} : { stdin }) },
  })
  const argv = ['/bin/bash', '--norc', '--noprofile', '-c', INIT, 'sandbox', ...initLimits(limits), ...command.argv]
  const data = {
    [DESCRIPTORS.seccomp]: seccompFilter(),
    [DESCRIPTORS.passwd]: PASSWD,
    [DESCRIPTORS.group]: GROUP,
    [DESCRIPTORS.hosts]: HOSTS,
    [DESCRIPTORS.stdin]: command.stdin ?? '',
  }
  return launch({ program, options, argv, data, user, limits }, signal)
}

/** In the units of bash's ulimit: seconds, a number, twice 1024 bytes. */
const initLimits = ({ cpuTime, processes, memory, fileSize }: SandboxLimits): string[] =>
  [cpuTime, processes, memory / 1024, fileSize / 1024].map((value) => `${Math.max(1, Math.ceil(value))}`)

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

import { statSync } from 'node:fs'
import { describeError } from '../core/error.ts'
import { notStarted, whyNotStartable } from './arguments.ts'
import { diagnosePlatform } from './diagnosis.ts'
import { makeCommandPlace } from './external-place.ts'
import { type ProtectedPaths, protectedPaths } from './external-protect.ts'
import { runExternal } from './external-run.ts'
import { type HostFacts, readHost } from './host.ts'
import { ENVIRONMENT, NODE_INSIDE } from './profile.ts'
import { reachableSource } from './reachable.ts'
import {
  type Command,
  type CommandResult,
  DEFAULT_SANDBOX_LIMITS,
  type Probe,
  type Sandbox,
  SandboxError,
  type View,
} from './sandbox.ts'
import { type SandboxUser, sandboxUser } from './user.ts'

/**
 * Runs commands where Tao runs: the container around both is the sandbox, and the user has said so. Linux only. The working
 * copy is seen at its real path. What holds: a session and an environment of its own, the limits of single processes, time
 * and output, and the end of all its processes that can still be found. What does not: nothing is hidden, the network is
 * that of the container, and protected paths are only looked at.
 */
export function external(): Sandbox {
  const known = new WeakMap<View, Promise<ProtectedPaths>>()
  const guardOf = (view: View, user: SandboxUser): Promise<ProtectedPaths> => {
    const guard = known.get(view) ?? protectedPaths(view, user)
    known.set(view, guard)
    return guard
  }

  const run = async (command: Command, signal: AbortSignal): Promise<CommandResult> => {
    signal.throwIfAborted()
    const problem = whyNotStartable(command.argv)
    if (problem !== undefined) return notStarted(problem)
    expectLinux(readHost())
    if (command.network !== undefined)
      throw new SandboxError('The external sandbox cannot keep commands to a list of hosts.', 'Leave "network" out.')
    const { view } = command
    const user = externalUser()
    const guard = view === undefined ? undefined : await guardOf(view, user)
    guard?.expectUntouched()
    await using place = await makeCommandPlace(user, command.stdin)
    const shown = await shownFiles({ ...command.readOnly, [NODE_INSIDE]: process.execPath }, user)
    const result = await runExternal(
      {
        argv: command.argv.map((argument) => realPath(argument, shown)),
        environment: environmentFor(place),
        folder: view?.copy ?? place.workspace,
        place,
        user,
        limits: { ...DEFAULT_SANDBOX_LIMITS, ...command.limits },
      },
      signal,
    )
    guard?.expectUntouched()
    return result
  }
  return { name: 'external', run, probe: () => probe(run), close: async () => {} }
}

/** Root steps down where it can, so that commands cannot read Tao's own memory and keys. */
function externalUser(): SandboxUser {
  try {
    return sandboxUser()
  } catch {
    return { uid: process.geteuid?.() ?? 0, gid: process.getegid?.() ?? 0, dropped: false }
  }
}

function environmentFor({ home, temp, programs }: { home: string; temp: string; programs: string }) {
  return { ...ENVIRONMENT, PATH: `/usr/local/bin:/usr/bin:/bin:${programs}`, HOME: home, TMPDIR: temp }
}

/** Host files stay where they are; arguments that name them by the path they would be seen at are changed. */
async function shownFiles(files: Readonly<Record<string, string>>, user: SandboxUser): Promise<Map<string, string>> {
  const shown = new Map<string, string>()
  for (const [path, source] of Object.entries(files)) shown.set(path, await reachableSource(source, user))
  return shown
}

function realPath(argument: string, shown: ReadonlyMap<string, string>): string {
  for (const [path, source] of shown)
    if (argument === path || argument.startsWith(`${path}/`)) return source + argument.slice(path.length)
  return argument
}

function expectLinux(host: HostFacts): void {
  const platform = diagnosePlatform({ ...host, wsl1: false })
  if (platform !== undefined) throw new SandboxError(platform.problem, platform.fix)
  if (statSync('/bin/bash', { throwIfNoEntry: false }) === undefined)
    throw new SandboxError('The external sandbox needs /bin/bash, which is not here.', 'Install bash in the container.')
}

async function probe(run: Sandbox['run']): Promise<Probe> {
  try {
    const { exit, durationMs } = await run({ argv: ['true'] }, AbortSignal.timeout(30_000))
    if (exit === 0)
      return { ok: true, detail: `external: a command ran here in ${Math.round(durationMs)} ms, without a sandbox` }
    return {
      ok: false,
      problem: `"true" ended with exit code ${exit}`,
      fix: 'Look at the limits of this user: ulimit -a',
    }
  } catch (error) {
    const fix = (error instanceof SandboxError ? error.fix : undefined) ?? 'Look at what the message says.'
    return { ok: false, problem: describeError(error), fix }
  }
}

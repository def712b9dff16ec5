import { diagnosePlatform } from './diagnosis.ts'
import { type HostFacts, readHost } from './host.ts'
import { type Command, type CommandResult, type Probe, SandboxError } from './sandbox.ts'

const PROBE_LIMIT = 30_000

/** Runs a command that does nothing with everything switched on, and says in one sentence what stands in the way. */
export async function probe(
  run: (command: Command, signal: AbortSignal) => Promise<CommandResult>,
  host: HostFacts = readHost(),
): Promise<Probe> {
  const platform = diagnosePlatform(host)
  if (platform !== undefined) return { ok: false, ...platform }
  try {
    const { exit, stderr, durationMs } = await run({ argv: ['true'], once: true }, AbortSignal.timeout(PROBE_LIMIT))
    if (exit === 0) return { ok: true, detail: `bubblewrap ran a command in ${Math.round(durationMs)} ms` }
    return {
      ok: false,
      problem: `In the sandbox, "true" ended with exit code ${exit}: ${stderr.text.trim() || 'it wrote nothing'}`,
      fix: 'Look at whether /usr/bin/true works on this machine, and at the limits of this user: ulimit -a',
    }
  } catch (error) {
    const fix = error instanceof SandboxError ? error.fix : undefined
    return {
      ok: false,
      problem: error instanceof Error ? error.message : String(error),
      fix: fix ?? 'Try again; if it stays so, start Tao as a normal user on a Linux machine with bubblewrap.',
    }
  }
}

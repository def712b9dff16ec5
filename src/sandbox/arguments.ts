import { isAbsolute, normalize } from 'node:path'
import { WORKSPACE } from './profile.ts'
import { type CommandResult, SandboxError } from './sandbox.ts'

// The kernel's bounds: MAX_ARG_STRLEN with its closing zero byte, and a quarter of the usual stack for all together.
const LONGEST_ARGUMENT = 131_071
const ALL_ARGUMENTS = 1_900_000

/** Why no kernel would start this command; undefined when one might. Throws `SandboxError` when there is no command. */
export function whyNotStartable(argv: readonly string[]): string | undefined {
  if (argv.length === 0) throw new SandboxError('There is no command to run: argv is empty.')
  let total = 0
  for (const [i, argument] of argv.entries()) {
    const bytes = Buffer.byteLength(argument)
    total += bytes + 9
    if (argument.includes('\0')) return `argument ${i} holds a zero byte, which no argument can`
    if (bytes > LONGEST_ARGUMENT)
      return `argument ${i} has ${bytes} bytes; ${LONGEST_ARGUMENT} are possible: put the text into a file`
  }
  return total > ALL_ARGUMENTS ? `the arguments have ${total} bytes; ${ALL_ARGUMENTS} are possible` : undefined
}

/** The answer a shell gives to a command that the kernel does not take. */
export function notStarted(problem: string): CommandResult {
  const text = `cannot run the command: ${problem}\n`
  return {
    exit: 126,
    stdout: { text: '', bytes: 0, truncated: false },
    stderr: { text, bytes: Buffer.byteLength(text), truncated: false },
    durationMs: 0,
    reached: [],
    leftovers: false,
  }
}

/** These hold what the sandbox is made of, or belong to the command. */
const OWN = [WORKSPACE, '/usr', '/bin', '/sbin', '/lib', '/lib32', '/lib64', '/proc', '/dev']
const FOLDERS = ['/', '/etc', '/home', '/home/agent', '/opt', '/opt/node', '/opt/node/bin', '/run', '/tmp']

/** Throws `SandboxError` for a place where a host file would cover the sandbox's own parts or change the working copy. */
export function expectMountable(path: string, source: string): void {
  if (!isAbsolute(path) || normalize(path) !== path || path.endsWith('/') || !isAbsolute(source))
    throw new SandboxError(`Host files are shown by absolute paths: ${source} as ${path}`)
  if (FOLDERS.includes(path) || OWN.some((own) => path === own || path.startsWith(`${own}/`)))
    throw new SandboxError(`Nothing can be shown at ${path}.`, 'Choose a new path, such as one below /opt.')
}

import { stripVTControlCharacters } from 'node:util'
import { oneLine } from '../core/clip.ts'
import { TaoError } from '../core/error.ts'
import type { AllowedHost } from '../sandbox/allow-list.ts'
import { describeEnd } from '../sandbox/exit.ts'
import type { CommandResult, Sandbox, SandboxLimits, View } from '../sandbox/sandbox.ts'
import { describeUnreached } from '../sandbox/unreached.ts'
import type { Criterion, Delivery, Finding } from './criterion.ts'
import { type Pattern, readPattern } from './pattern.ts'

export interface CommandOptions {
  /** For bash. */
  readonly command: string
  readonly sandbox: Sandbox
  /** What its output must contain: a plain text, or `/regular expression/`. */
  readonly matches?: string
  /** Milliseconds. Default: the sandbox's. */
  readonly timeLimit?: number
  readonly limits?: Partial<SandboxLimits>
  /** Hosts that it may reach. Default: none. */
  readonly network?: readonly AllowedHost[]
}

/** Characters of output that are shown. */
const SHOWN = 2_000

/**
 * Holds when the command exits with 0, and prints what it must. It runs in a fresh copy of what would be delivered, so
 * that nothing the agent left running or lying around can help it; without a workspace, in an empty folder.
 */
export function command(options: CommandOptions): Criterion {
  const { command, matches } = options
  if (command.trim() === '') throw new TaoError('criterion', 'The command of a criterion is empty.')
  const pattern = matches === undefined ? undefined : readPattern(matches)
  const printing = pattern === undefined ? '' : `, printing ${pattern.written}`
  return {
    name: `command: ${oneLine(command, 300)}${printing}`,
    early: true,
    asks: 'command',
    check: async (delivery) => judge(await runOnCopy(options, delivery), boundsOf(options), pattern),
  }
}

async function runOnCopy(options: CommandOptions, { workspace, signal }: Delivery): Promise<CommandResult> {
  if (workspace === undefined) return await run(options, signal)
  await using copy = await workspace.cleanCopy()
  return await run(options, signal, copy.view)
}

function run(options: CommandOptions, signal: AbortSignal, view?: View): Promise<CommandResult> {
  const argv = ['bash', '-c', options.command]
  const { network } = options
  const command = {
    ...{ argv, limits: boundsOf(options), once: true },
    ...(view === undefined ? {} : { view }),
    ...(network === undefined ? {} : { network }),
  }
  return options.sandbox.run(command, signal)
}

const boundsOf = ({ timeLimit, limits }: CommandOptions): Partial<SandboxLimits> => ({
  ...limits,
  ...(timeLimit === undefined ? {} : { wallTime: timeLimit }),
})

function judge(result: CommandResult, limits: Partial<SandboxLimits>, pattern: Pattern | undefined): Finding {
  const output = [result.stdout.text, result.stderr.text].filter((text) => text !== '').join('\n')
  const problem = findProblem(result, limits) ?? describeMismatch(pattern?.problemIn(output))
  const verdict = problem === undefined ? `exit ${result.exit}` : `exit ${result.exit}, ${problem}`
  const shown = showTails(result) || 'It printed nothing.'
  return {
    holds: result.exit === 0 && problem === undefined,
    detail: [verdict, ...describeUnreached(result.unreached), shown].join('\n'),
    ...(result.exit !== 0 && result.limit === 'wallTime' ? { doubt: 'timeout' as const } : {}),
  }
}

/** What explains a failure; a limit that was only reached is no reason to doubt a command that ended well. */
function findProblem(result: CommandResult, limits: Partial<SandboxLimits>): string | undefined {
  return result.exit === 0 && result.limit === undefined ? undefined : describeEnd(result, limits)
}

const describeMismatch = (problem: string | undefined): string | undefined =>
  problem === undefined ? undefined : `but its output ${problem}`

/** The ends, where results stand. What one stream does not need, the other may have. */
function showTails({ stdout, stderr }: CommandResult): string {
  const [out, err] = [readable(stdout.text), readable(stderr.text)]
  const forErr = Math.min(err.length, Math.max(SHOWN / 2, SHOWN - out.length))
  return [tail(out, SHOWN - forErr), tail(err, forErr)].filter((text) => text !== '').join('\n')
}

const readable = (text: string): string => stripVTControlCharacters(text).trimEnd()

function tail(text: string, limit: number): string {
  if (text.length <= limit) return text
  return `[… ${text.length - limit} characters left out …]\n${text.slice(text.length - limit)}`.toWellFormed()
}

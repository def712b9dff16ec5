import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { describeExit } from '../sandbox/exit.ts'
import { type Captured, type CommandResult, DEFAULT_SANDBOX_LIMITS } from '../sandbox/sandbox.ts'
import { tool } from './define.ts'
import type { Place } from './place.ts'
import { plainText } from './terminal-text.ts'
import type { Tool } from './tool.ts'

const DEFAULT_SECONDS = 120
const MAX_SECONDS = 600
/** For the sandbox to end what is left and to answer. */
const MARGIN_SECONDS = 10

const input = z.object({
  command: z.string().min(1).describe('The command, as for `bash -c`.'),
  time_limit: z
    .number()
    .positive()
    .optional()
    .describe(`Seconds. Default: ${DEFAULT_SECONDS}, at most ${MAX_SECONDS}.`),
})

/**
 * Runs a command in the sandbox. The result is ok when the command ran to its end, whatever its exit code: what the code
 * means is for the model to judge. A sandbox that fails is thrown, never shown as the command's failure.
 */
export function bash(place: Place): Tool {
  return tool({
    name: 'bash',
    description:
      'Runs a command with bash in the workspace and gives its exit code, standard output and standard error. No network, no terminal, no input. Background processes end with the command. A call counts as ok when the command ran to its end, also when its tests failed: read the exit code.',
    input,
    effects: 'write',
    timeLimit: (MAX_SECONDS + MARGIN_SECONDS) * 1000,
    async run({ command, time_limit: wished = DEFAULT_SECONDS }, { signal }) {
      const seconds = Math.min(wished, MAX_SECONDS)
      const limits = { wallTime: Math.ceil(seconds * 1000) }
      const argv = ['/bin/bash', '-c', command]
      const result = await place.sandbox.run({ argv, view: place.view, limits }, signal)
      const clamped = wished > seconds ? [`time limit: ${wished} s is too long, ${seconds} s were allowed`] : []
      return report(result, [...clamped, ...describeEnd(result, seconds)])
    },
  })
}

function report(result: CommandResult, notes: readonly string[]): ToolResult {
  const { exit, stdout, stderr, limit } = result
  const blocks = [`exit code: ${exit}`, ...notes, ...block('stdout', stdout), ...block('stderr', stderr)]
  if (stdout.bytes + stderr.bytes === 0) blocks.push('no output')
  return {
    ok: limit === undefined,
    text: blocks.join('\n'),
    exit,
    ...(stdout.truncated || stderr.truncated ? { truncated: true } : {}),
  }
}

function describeEnd({ exit, limit, leftovers }: CommandResult, seconds: number): string[] {
  const ends = {
    wallTime: `ended by the time limit of ${seconds} s: it had not finished`,
    output: `ended by the output limit of ${DEFAULT_SANDBOX_LIMITS.output} bytes: it had not finished`,
  }
  const end = limit === undefined ? describeExit(exit) : ends[limit]
  return [
    ...(end === undefined ? [] : [end]),
    ...(leftovers ? ['background processes were still running and were ended'] : []),
  ]
}

function block(name: string, { text, bytes, truncated }: Captured): string[] {
  if (bytes === 0) return []
  const size = truncated ? ` (truncated: ${bytes} bytes were written, the middle is left out)` : ''
  const shown = plainText(text)
  if (shown.trim() === '') return [`${name}${size}: only white space or control characters, ${bytes} bytes`]
  return [`${name}${size}:`, shown.endsWith('\n') ? shown.slice(0, -1) : shown]
}

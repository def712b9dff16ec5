import type { ToolResult } from '../core/call.ts'
import { describeEnd } from '../sandbox/exit.ts'
import type { Captured, CommandResult, SandboxLimits } from '../sandbox/sandbox.ts'
import { describeUnreached } from '../sandbox/unreached.ts'
import { plainText } from './terminal-text.ts'

/** What a model is shown of a command that ran: exit code, what bounded it, both streams. Notes stand behind the exit code. */
export function reportCommand(
  result: CommandResult,
  limits: Partial<SandboxLimits>,
  notes: readonly string[] = [],
): ToolResult {
  const { exit, stdout, stderr, limit } = result
  const end = describeEnd(result, limits)
  const blocks = [
    `exit code: ${exit}`,
    ...notes,
    ...(end === undefined ? [] : [end]),
    ...describeUnreached(result.unreached),
    ...(result.leftovers ? ['background processes were still running and were ended'] : []),
    ...block('stdout', stdout),
    ...block('stderr', stderr),
  ]
  if (stdout.bytes + stderr.bytes === 0) blocks.push('no output')
  return {
    ok: limit === undefined,
    text: blocks.join('\n'),
    exit,
    ...(stdout.truncated || stderr.truncated ? { truncated: true } : {}),
  }
}

function block(name: string, { text, bytes, truncated }: Captured): string[] {
  if (bytes === 0) return []
  const size = truncated ? ` (truncated: ${bytes} bytes were written, the middle is left out)` : ''
  const shown = plainText(text)
  if (shown.trim() === '') return [`${name}${size}: only white space or control characters, ${bytes} bytes`]
  return [`${name}${size}:`, shown.endsWith('\n') ? shown.slice(0, -1) : shown]
}

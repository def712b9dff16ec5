import { isReadOnly, type ToolCall, type ToolResult } from '../core/call.ts'
import { type Deadline, openDeadline, untilAborted } from '../core/deadline.ts'
import { describeError } from '../core/error.ts'
import type { CallFinished, Fact } from '../core/event.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import type { Tool } from '../tools/tool.ts'
import { blockedBy, failure } from './answers.ts'
import { readArguments } from './check.ts'
import { observe } from './observe.ts'
import type { Run } from './run.ts'
import type { OpenCall } from './state.ts'
import { timeLeft } from './time.ts'

/** Runs cleared calls together and records their results in reply order. One that fails does not lose the others. */
export async function* execute(run: Run, calls: readonly OpenCall[], signal: AbortSignal): AsyncGenerator<Fact> {
  for (const { call } of calls) yield { kind: 'call.started', call: call.id, name: call.name }
  const running = calls.map((open) => runCall(run, open, signal))
  for (const each of running) yield* await each
}

/** Never rejects: whatever happens becomes the call's one answer. */
async function runCall(run: Run, { call, effects }: OpenCall, signal: AbortSignal): Promise<readonly Fact[]> {
  const began = run.parts.clock.now()
  const tool = run.parts.tools.get(call.name)
  if (tool === undefined) return [failure(call, `The tool ${call.name} is gone.`, 0)]
  using deadline = openDeadline(signal, Math.min(tool.timeLimit, timeLeft(run).ms), `The call of ${call.name}`)
  try {
    const result = await execution(tool, call, deadline.signal)
    return [await finish(run, call, result, began)]
  } catch (error) {
    const finished = failure(call, sentence(error, deadline, signal), run.parts.clock.now() - began)
    const isOpen = (deadline.expired || signal.aborted) && !isReadOnly(effects)
    const fact = isOpen ? { ...finished, outcomeUnknown: true } : finished
    return error instanceof SandboxError ? [fact, blockedBy(error)] : [fact]
  }
}

async function execution(tool: Tool, call: ToolCall, signal: AbortSignal): Promise<ToolResult> {
  const read = await readArguments(tool, call)
  if (!read.ok) throw new Error(read.problem)
  return untilAborted(tool.execute(read.input, { call: call.id, signal }), signal)
}

async function finish(run: Run, call: ToolCall, result: ToolResult, began: number): Promise<CallFinished> {
  const observed = await observe(result.text, run.parts.store)
  return {
    kind: 'call.finished',
    call: call.id,
    name: call.name,
    ok: result.ok,
    observation: observed.text,
    truncated: observed.truncated || result.truncated === true,
    durationMs: run.parts.clock.now() - began,
    bytes: observed.bytes,
    ...(result.exit === undefined ? {} : { exit: result.exit }),
    ...(observed.whole === undefined ? {} : { whole: observed.whole }),
    ...(result.files === undefined ? {} : { files: result.files }),
  }
}

function sentence(error: unknown, deadline: Deadline, signal: AbortSignal): string {
  if (signal.aborted) return 'Cancelled while it ran. Whether it took effect is not known.'
  if (deadline.expired) return `${describeError(error)} and was stopped. Whether it took effect is not known.`
  if (error instanceof SandboxError) return `The sandbox failed, so the call could not be run: ${error.message}`
  return `The tool failed: ${describeError(error)}`
}

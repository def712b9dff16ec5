import { isReadOnly, type ToolCall, type ToolResult } from '../core/call.ts'
import { type Deadline, openDeadline, untilAborted } from '../core/deadline.ts'
import { describeError } from '../core/error.ts'
import type { CallFinished, CallStarted, Fact } from '../core/event.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import type { ToolContext } from '../tools/tool.ts'
import { blockedBy, failure, refusal } from './answers.ts'
import { contextFor, fingerprintOf } from './fingerprint.ts'
import { marksOf } from './marks.ts'
import { observe, shorten } from './observe.ts'
import { Permit, takePermit } from './permit.ts'
import { readFacts } from './read-facts.ts'
import type { Run } from './run.ts'
import { snapshotAfter } from './snapshot.ts'
import type { OpenCall } from './state.ts'
import { timeLeft } from './time.ts'

/**
 * Runs cleared calls together and records their results in reply order. One that fails does not lose the others. The intent is
 * on record before the permit is looked for: of two runs that use up the same limit, the later one sees the other's.
 */
export async function* execute(run: Run, calls: readonly OpenCall[], signal: AbortSignal): AsyncGenerator<Fact> {
  for (const open of calls) yield await intentOf(run, open, signal)
  const running = calls.map((open) => runCall(run, open, signal))
  for (const each of running)
    for (const fact of await each) {
      if (fact.kind === 'mark.added' && run.state.marks.includes(fact.mark)) continue
      yield fact
      if (fact.kind === 'call.finished') yield* readFacts(run)
    }
}

/** With what the tool finds before it acts, where it can tell by that whether it has acted. */
async function intentOf(run: Run, open: OpenCall, signal: AbortSignal): Promise<CallStarted> {
  const { id, name } = open.call
  const before = await fingerprintOf(run, open, signal)
  return { kind: 'call.started', call: id, name, ...(before === undefined ? {} : { before }) }
}

/** Never rejects: whatever happens becomes the call's one answer. What it puts on the run stands before it: no crash parts them. */
async function runCall(run: Run, open: OpenCall, signal: AbortSignal): Promise<readonly Fact[]> {
  const { call } = open
  const permit = takePermit(run, call.id) ?? (await Permit.onRecord(run, open))
  if (typeof permit === 'string') return [refusal(call, 'not-permitted', permit)]
  const began = run.parts.clock.now()
  using deadline = openDeadline(signal, Math.min(permit.tool.timeLimit, timeLeft(run).ms), `The call of ${call.name}`)
  try {
    const result = await untilAborted(useTool(permit, contextFor(run, call, deadline.signal)), deadline.signal)
    const finished = await finish(run, { call, result, began })
    return [...marksOf(run, call, result.value), ...(await snapshotAfter(run, open)), finished]
  } catch (error) {
    const said = shorten(sentence(error, deadline, signal), run.parts)
    const finished = failure(call, said, run.parts.clock.now() - began)
    const isOpen = (deadline.expired || signal.aborted) && !isReadOnly(open.effects)
    const fact = isOpen ? { ...finished, outcomeUnknown: true } : finished
    const before = [...marksOf(run, call), ...(await snapshotAfter(run, open))]
    return [...before, fact, ...(error instanceof SandboxError ? [blockedBy(error)] : [])]
  }
}

/** The only place that runs a tool, and it takes a permit. */
const useTool = ({ tool, input }: Permit, context: ToolContext): Promise<ToolResult> => tool.execute(input, context)

interface Finished {
  readonly call: ToolCall
  readonly result: ToolResult
  /** Milliseconds since 1970. */
  readonly began: number
}

export async function finish(run: Run, { call, result, began }: Finished): Promise<CallFinished> {
  const observed = await observe(result.text, run.parts)
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
    ...(result.usage === undefined ? {} : { usage: result.usage }),
  }
}

function sentence(error: unknown, deadline: Deadline, signal: AbortSignal): string {
  if (signal.aborted) return 'Cancelled while it ran. Whether it took effect is not known.'
  if (deadline.expired) return `${describeError(error)} and was stopped. Whether it took effect is not known.`
  if (error instanceof SandboxError) return `The sandbox failed, so the call could not be run: ${error.message}`
  return `The tool failed: ${describeError(error)}`
}

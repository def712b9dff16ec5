import type { ToolCall } from '../core/call.ts'
import type { CallFinished, CallRefused, RefusalCause, RunBlocked } from '../core/event.ts'
import type { SandboxError } from '../sandbox/sandbox.ts'

/** The answer to a call that is not run. */
export function refusal(call: ToolCall, cause: RefusalCause, observation: string): CallRefused {
  return { kind: 'call.refused', call: call.id, name: call.name, cause, observation }
}

/** The answer to a call that was run and gave no result. */
export function failure(call: ToolCall, observation: string, durationMs: number): CallFinished {
  const bytes = Buffer.byteLength(observation)
  return {
    kind: 'call.finished',
    call: call.id,
    name: call.name,
    ok: false,
    observation,
    truncated: false,
    durationMs,
    bytes,
  }
}

/**
 * The answer to a call that was running when the process ended: what it did is not known, and it is not repeated. `seen` says
 * what is seen of it all the same.
 */
export function unknownOutcome(call: ToolCall, seen = ''): CallFinished {
  const text = `Tao was ended while this call ran. Whether it took effect is not known: look before you do it again.${seen}`
  return { ...failure(call, text, 0), outcomeUnknown: true }
}

export const blockedBy = (error: SandboxError): RunBlocked => ({
  kind: 'run.blocked',
  reason: `The sandbox failed: ${error.message}`,
  ...(error.fix === undefined ? {} : { fix: error.fix }),
})

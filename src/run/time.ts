import type { Run } from './run.ts'

/** Milliseconds of working time that are left, and the bound they are measured against. */
export function timeLeft({ state, parts }: Run): { readonly ms: number; readonly bound: number } {
  const bound = state.started?.limits.wallTime ?? 0
  return { ms: Math.max(0, state.startedAt + bound - parts.clock.now()), bound }
}

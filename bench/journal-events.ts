import type { Event, Fact } from '../src/core/event.ts'
import { DEFAULT_LIMITS } from '../src/core/limits.ts'
import { NO_USAGE } from '../src/core/usage.ts'

export interface Sized {
  readonly runs: number
  /** In each run. */
  readonly events: number
}

export const line = 'The "catalogue" says: measure twice, cut once; keep the receipt — and the box.\n'

/** The events of one step, by commit. */
export function stepFacts(step: number): readonly (readonly Fact[])[] {
  const call = { id: `call_${step}`, name: 'lookup', arguments: `{"key":"item-${step}"}` }
  const usage = { inputFresh: 700, inputCached: step * 700, inputCacheWritten: 0, output: 30, reasoning: 0 }
  const observation = `item-${step}\n${line.repeat(25)}`
  const named = { call: call.id, name: call.name }
  return [
    [{ kind: 'request.sent', step, bytes: step * 2_300, prefixBytes: step * 2_280, sha256: 'a'.repeat(64) }],
    [
      { kind: 'model.replied', step, text: '', calls: [call], finish: 'calls', usage, firstByteMs: 1.2, totalMs: 1.5 },
      { kind: 'call.cleared', ...named, effects: ['read'] },
      { kind: 'call.started', ...named },
    ],
    [{ kind: 'call.finished', ...named, ok: true, observation, truncated: false, durationMs: 0.4, bytes: 2_100 }],
  ]
}

/** Runs as the loop writes them, one after the other, with a system message of a usual size. */
export function* journalEvents({ runs, events }: Sized): Generator<Event> {
  for (let count = 0; count < runs; count++) {
    const run = `20261130-080000-${count.toString(16).padStart(8, '0')}`
    const facts: Fact[] = [started()]
    for (let step = 1; facts.length < events - 1; step++) facts.push(...stepFacts(step).flat())
    const at = new Date(1_796_000_000_000 + count).toISOString()
    for (const [seq, fact] of [...facts.slice(0, events - 1), ended()].entries()) yield { run, seq, at, ...fact }
  }
}

const started = (): Fact => ({
  kind: 'run.started',
  formatVersion: 1,
  task: 'Find why the test fails, fix the implementation and verify it with the tests.',
  client: 'local',
  model: 'deepseek/deepseek-chat',
  protocol: 'native',
  limits: DEFAULT_LIMITS,
  system: line.repeat(60),
  head: { tools: [], stop: [], temperature: 0, maxOutputTokens: 4096, stream: false, thinking: false },
  toolsHash: 'a'.repeat(64),
  criteria: [],
  words: [],
})

const ended = (): Fact => ({
  kind: 'run.ended',
  outcome: {
    status: 'answered',
    reason: 'The model answered; the task named no criteria to prove.',
    answer: line.repeat(10),
    evidence: [],
    usage: NO_USAGE,
    modelCalls: 2,
    toolCalls: 1,
    durationMs: 12_000,
    changed: [],
  },
})

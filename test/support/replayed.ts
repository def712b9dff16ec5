import assert from 'node:assert/strict'
import type { Event } from '../../src/core/event.ts'
import { DEFAULT_LIMITS } from '../../src/core/limits.ts'
import { memoryJournal } from '../../src/journal/memory.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { scripted } from '../../src/model/scripted.ts'
import { loadPolicy } from '../../src/policy/load.ts'
import { native } from '../../src/protocol/native.ts'
import { advance } from '../../src/run/advance.ts'
import { replay } from '../../src/run/replay.ts'
import type { Parts } from '../../src/run/run.ts'
import { type RunSpec, startRun } from '../../src/run/start.ts'
import { plainTool, tickingClock } from './bench.ts'

/*
 * Runs that are recorded in order to be replayed, with a policy that lets one tool run and asks about another.
 */

export const SPEC: RunSpec = {
  id: 'run-1',
  task: 'Do it.',
  client: 'tester',
  limits: DEFAULT_LIMITS,
  temperature: 0,
  maxOutputTokens: 800,
  stream: false,
  thinking: false,
}

export const POLICY = {
  tools: {
    send: {
      effects: ['irreversible'],
      floor: 'ask',
      args: { to: { role: 'sink', type: { text: 100 } } },
      asks: [{ args: { to: 'Anna' } }],
      denies: [{ args: { to: 7 } }],
    },
    look: { effects: ['read'], args: {}, runs: [{ args: {} }], denies: [{ args: { x: 1 } }] },
  },
}

export const tools = [
  plainTool('look', 'read', () => 'seen'),
  plainTool('change', 'write', () => 'changed'),
  {
    ...plainTool('send', 'irreversible', () => 'sent'),
    definition: {
      name: 'send',
      description: 'send',
      parameters: { type: 'object', properties: { to: { type: 'string' } }, required: ['to'] },
    },
  },
]

export const partsWith = (script: readonly ScriptReply[], more: Partial<Parts> = {}): Parts => ({
  model: scripted(script),
  protocol: native,
  tools: new Map(tools.map((tool) => [tool.definition.name, tool])),
  criteria: [],
  journal: memoryJournal(),
  store: memoryStore(),
  clock: tickingClock(),
  ...more,
})

export const permission = () => ({ policy: loadPolicy(POLICY), session: { client: 'tester' } })
export const approvals = { key: 'a key', lifetime: 60_000 }

export interface Recorded {
  readonly events: readonly Event[]
  readonly parts: Parts
  readonly spec: RunSpec
}

export async function recorded(parts: Parts, limits: Partial<RunSpec['limits']> = {}): Promise<Recorded> {
  const spec = { ...SPEC, limits: { ...DEFAULT_LIMITS, ...limits } }
  await advance(await startRun(spec, parts), new AbortController().signal)
  return { events: await parts.journal.read('run-1'), parts, spec }
}

export async function expectSame({ events, parts, spec }: Recorded, partsFrom?: () => Promise<Parts>): Promise<void> {
  const replayed = await replay({ spec, events, parts, ...(partsFrom === undefined ? {} : { partsFrom }) })
  assert.deepEqual(replayed.difference, undefined)
  assert.equal(replayed.events, events.length)
}

/** The kind of the last event, so that a test is about what its name says. */
export const endOf = ({ events }: Recorded): string => {
  const last = events.at(-1)
  return last?.kind === 'run.ended' ? (last.outcome.limit?.limit ?? last.outcome.status) : (last?.kind ?? '')
}

export const kindsIn = ({ events }: Recorded): ReadonlySet<string> => new Set(events.map(({ kind }) => kind))

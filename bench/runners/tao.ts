// Tao as a library, with all that it does beside the loop: arguments checked with Zod, every event in an SQLite journal,
// a trace line for each event.
import { z } from 'zod'
import { DEFAULT_LIMITS, type Limits } from '../../src/core/limits.ts'
import type { Delta } from '../../src/core/request.ts'
import { memoryStore } from '../../src/journal/memory-store.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import { chatModel } from '../../src/model/chat.ts'
import { PLAIN } from '../../src/model/profile.ts'
import { native } from '../../src/protocol/native.ts'
import { advance } from '../../src/run/advance.ts'
import { startRun } from '../../src/run/start.ts'
import { tool } from '../../src/tools/define.ts'
import type { Tool } from '../../src/tools/tool.ts'
import { KEY, lookup, SYSTEM, TOOL } from '../work.ts'
import type { Agent, OpenAgent, Setting } from './runner.ts'
import { openSpanFile } from './spans.ts'

export const openAgent: OpenAgent = async (setting) => {
  const input = z.object({ key: z.string().describe(KEY) })
  return openTao(setting, SYSTEM, tool({ ...TOOL, input, effects: 'read', run: lookup }))
}

const profile = { ...PLAIN, provider: 'scripted', baseUrl: undefined, keyVariable: 'SCRIPTED_API_KEY' }

/** The script is long, so bounds are wide; every one of them is checked. */
const limitsFor = (rounds: number): Limits => ({
  ...DEFAULT_LIMITS,
  modelCalls: rounds + 2,
  toolCalls: rounds + 1,
  tokens: 1e9,
  contextTokens: 1e7,
})

/** Also for harnesses that bring their own job. */
export function openTao(setting: Setting, system: string, only: Tool): Agent {
  const { baseUrl, rounds, stream, database, everyCommitDurable } = setting
  const journal = openSqliteJournal(database, { everyCommitDurable })
  const spans = openSpanFile(`${database}.spans`)
  let shown = 0
  const onDelta = ({ text }: Delta): void => {
    shown += text.length
  }
  const parts = {
    model: chatModel({ name: 'scripted/scripted', model: 'scripted', baseUrl, apiKey: 'none', profile }),
    protocol: native,
    tools: new Map([[only.definition.name, only]]),
    criteria: [],
    journal,
    store: memoryStore(),
    clock: { now: () => Date.now() },
    onEvent: spans.write,
    ...(stream ? { onDelta } : {}),
  }
  const spec = { client: 'bench', limits: limitsFor(rounds), instructions: system, stream, thinking: false }
  return {
    async run(task, id) {
      const run = await startRun({ ...spec, id, task, temperature: 0, maxOutputTokens: 1_000 }, parts)
      const outcome = await advance(run, new AbortController().signal)
      if (outcome === undefined) throw new Error('The run waits for a person.')
      const { status, reason, answer } = outcome
      if (status !== 'answered' || answer === undefined) throw new Error(`${status}: ${reason}`)
      if (stream && shown === 0) throw new Error('nothing was streamed')
      return answer
    },
    async close() {
      await journal.close()
      await spans.close()
    },
  }
}

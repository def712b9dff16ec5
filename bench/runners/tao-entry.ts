// Tao as a program gets it: through the package's one entry. For the cold start only; runs have their usual limits.
import { z } from 'zod'
import { openSqliteJournal, run, tool } from '../../src/index.ts'
import { KEY, lookup, SYSTEM, TOOL } from '../work.ts'
import type { OpenAgent } from './runner.ts'
import { openSpanFile } from './spans.ts'

export const openAgent: OpenAgent = async ({ baseUrl, stream, database, everyCommitDurable }) => {
  const journal = openSqliteJournal(database, { everyCommitDurable })
  const spans = openSpanFile(`${database}.spans`)
  const input = z.object({ key: z.string().describe(KEY) })
  const tools = [tool({ ...TOOL, input, effects: 'read', run: lookup })]
  const model = 'openai-compatible/scripted'
  const options = { model, baseUrl, tools, instructions: SYSTEM, stream, journal, onEvent: spans.write }
  return {
    async run(task) {
      const { status, reason, answer } = await run(task, options)
      if (status !== 'answered' || answer === undefined) throw new Error(`${status}: ${reason}`)
      return answer
    },
    async close() {
      await journal.close()
      await spans.close()
    },
  }
}

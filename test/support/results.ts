import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { BatchRecord } from '../../src/batch/record.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Outcome } from '../../src/core/outcome.ts'

/** What a record that is written for a test is to say. */
export interface RecordWish {
  readonly id?: string
  readonly question?: string
  readonly answer?: string
  readonly prediction?: string
  /** Names of tools, one call each. */
  readonly calls?: readonly string[]
  readonly termination?: BatchRecord['termination']
  readonly cost?: number
  readonly tokens?: readonly [input: number, output: number]
  readonly fields?: JsonObject
  readonly error?: string
}

/** One record as `tao batch` writes it: a turn for each call, then the answer. */
export function recordOf(wish: RecordWish, rollout: number): BatchRecord {
  const { id = 'q', question = 'What?', answer = 'yes', prediction = 'yes', calls = [], error } = wish
  const turns = calls.flatMap((name) => [
    { role: 'assistant' as const, content: `<tool_call>\n{"name": "${name}", "arguments": {}}\n</tool_call>` },
    { role: 'user' as const, content: '<tool_response>\nfound\n</tool_response>' },
  ])
  const last = { role: 'assistant' as const, content: `<answer>\n${prediction}\n</answer>` }
  return {
    question,
    answer,
    messages: [{ role: 'system', content: 's' }, { role: 'user', content: question }, ...turns, last],
    prediction,
    termination: wish.termination ?? 'answer',
    ...(error === undefined ? {} : { error }),
    ...{ id, rollout, digest: 'd', run: `run-${id}-${rollout}`, model: 'openai-compatible/m' },
    outcome: outcomeOf(wish),
    ...(wish.fields === undefined ? {} : { fields: wish.fields }),
  }
}

function outcomeOf({ calls = [], cost, tokens: [input, output] = [100, 10] }: RecordWish): Outcome {
  const used = { inputFresh: input, inputCached: 0, inputCacheWritten: 0, output, reasoning: 0 }
  return {
    ...{ status: 'answered', reason: 'It answered.', evidence: [], changed: [] },
    usage: cost === undefined ? used : { ...used, cost },
    ...{ modelCalls: calls.length + 1, toolCalls: calls.length, durationMs: 1_500 },
  }
}

export interface ResultFolder extends Disposable {
  readonly folder: string
  /** Writes one file a rollout into a folder of this name; gives its path. */
  write(name: string, rollouts: readonly (readonly RecordWish[])[]): string
}

export function openResultFolder(): ResultFolder {
  const folder = mkdtempSync(join(tmpdir(), 'tao-score-'))
  return {
    folder,
    write(name, rollouts) {
      const out = join(folder, name)
      mkdirSync(out, { recursive: true })
      for (const [at, wishes] of rollouts.entries()) {
        const lines = wishes.map((wish) => `${JSON.stringify(recordOf(wish, at + 1))}\n`)
        writeFileSync(join(out, `rollout-${at + 1}.jsonl`), lines.join(''))
      }
      return out
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

/** Many items that differ in everything a report shows; the same each time. */
export function manyWishes(items: number, rollouts: number, luck = 0.62): RecordWish[][] {
  const chance = (n: number): number => (n * 0.7548776662) % 1
  return Array.from({ length: rollouts }, (_, rollout) =>
    Array.from({ length: items }, (_, at): RecordWish => {
      const [ease, own] = [chance(at + 1), chance(at * 7 + rollout * 13 + 5)]
      const isRight = (ease + own) / 2 < luck
      const steps = 1 + Math.floor(5 * ease * ease + 4 * own)
      return {
        id: `item-${at}`,
        question: `Which bridge carries the ${at + 1}th road over the river, and in which year was it opened?`,
        answer: `${1900 + (at % 90)}`,
        prediction: isRight ? `${1900 + (at % 90)}` : own > 0.93 ? 'No answer found.' : `about ${1850 + (at % 70)}`,
        calls: Array.from({ length: steps }, (_, step) =>
          step % 3 === 0 ? 'search' : step % 3 === 1 ? 'visit' : 'python',
        ),
        termination: own > 0.93 ? 'exceed available llm calls' : own > 0.88 ? 'answer not found' : 'answer',
        cost: 0.004 + 0.05 * ease * own,
        tokens: [Math.round(2_000 + 40_000 * ease), Math.round(300 + 2_000 * own)],
        fields: { category: ['history', 'engineering', 'geography', 'literature'][at % 4] ?? '' },
      }
    }),
  )
}

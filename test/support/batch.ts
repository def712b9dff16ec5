import { chmodSync, existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type BatchRequest, openBatch } from '../../src/app/open-batch.ts'
import { openJournal } from '../../src/app/open-journal.ts'
import { readSettings, type Settings } from '../../src/app/settings.ts'
import type { Overrides } from '../../src/app/task-request.ts'
import type { BatchRecord } from '../../src/batch/record.ts'
import type { BatchEnd, BatchParts } from '../../src/batch/run-batch.ts'
import type { JsonObject } from '../../src/core/json.ts'
import type { Event } from '../../src/index.ts'

/** A folder with a dataset and a task, where batches are run against a model service. */
export interface BatchBench extends Disposable {
  readonly folder: string
  readonly settings: Settings
  run(wish?: BatchWish): Promise<BatchEnd>
  /** Of one result file, in the order in which they were written. */
  records(file?: string): readonly BatchRecord[]
  eventsOf(run: string | undefined): Promise<readonly Event[]>
}

export type BatchWish = Partial<Omit<BatchRequest, 'overrides'>> & {
  readonly overrides?: Partial<Overrides>
  readonly parts?: Partial<BatchParts>
}

interface BenchWish {
  readonly rows: readonly (JsonObject | string)[]
  /** Address of the model service. */
  readonly url: string
  readonly task?: string
  readonly environment?: Readonly<Record<string, string>>
}

const PLAIN_TASK = 'task: "{{question}}"\ntools: []\nretry: { attempts: 1 }\n'

export function openBatchBench({ rows, url, task = PLAIN_TASK, environment }: BenchWish): BatchBench {
  const folder = mkdtempSync(join(tmpdir(), 'tao-batch-'))
  chmodSync(folder, 0o711) // Commands of a run that root starts run as another user, who must get through.
  const settings = readSettings({ TAO_HOME: join(folder, 'state'), ...environment })
  const lines = rows.map((row) => (typeof row === 'string' ? row : JSON.stringify(row)))
  writeFileSync(join(folder, 'q.jsonl'), `${lines.join('\n')}\n`)
  writeFileSync(join(folder, 'ask.task.yaml'), task)
  return {
    folder,
    settings,
    async run({ overrides, parts, ...wish } = {}) {
      const batch = await openBatch(
        {
          ...{ dataset: 'q.jsonl', task: 'ask.task.yaml', out: 'out', endpoints: [], limits: {} },
          ...{ rollouts: 1, concurrency: 4, shard: { number: 1, of: 1 }, mode: 'new' },
          ...wish,
          overrides: { folder, model: 'openai-compatible/m', baseUrl: url, ...overrides },
        },
        settings,
      )
      try {
        return await batch.run({ finishing: new AbortController().signal, ...parts })
      } finally {
        await batch.close()
      }
    },
    records(file = 'out/rollout-1.jsonl') {
      const path = join(folder, file)
      const text = existsSync(path) ? readFileSync(path, 'utf8') : ''
      return text
        .split('\n')
        .slice(0, -1)
        .map((line) => JSON.parse(line) as BatchRecord)
    },
    async eventsOf(run = '') {
      const opened = await openJournal(settings)
      try {
        return await opened.journal.read(run)
      } finally {
        await opened.close()
      }
    },
    [Symbol.dispose]: () => rmSync(folder, { recursive: true, force: true }),
  }
}

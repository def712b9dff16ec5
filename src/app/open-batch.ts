import { readFile } from 'node:fs/promises'
import { dirname, join, resolve } from 'node:path'
import { formOf, readDataset, type Shard, shardOf } from '../batch/dataset.ts'
import { keepManifest } from '../batch/manifest.ts'
import { openResults, type Results, type ResultsMode } from '../batch/results.ts'
import { type BatchEnd, type BatchLimits, type BatchParts, runBatch } from '../batch/run-batch.ts'
import { describeError, TaoError } from '../core/error.ts'
import { expectPrice } from '../model/price.ts'
import { chooseModel, type ModelChoice } from './choose-model.ts'
import { openModel } from './models.ts'
import { openJournal } from './open-journal.ts'
import { openRollouts } from './rollouts.ts'
import type { Settings } from './settings.ts'
import { type Overrides, type Preset, readPreset } from './task-request.ts'

/** What `tao batch` is asked. Paths are relative to the folder of the overrides. */
export interface BatchRequest {
  readonly dataset: string
  /** A preset that ships with Tao, or a task file with `{{question}}` in it. */
  readonly task: string
  readonly overrides: Overrides
  readonly endpoints: readonly string[]
  readonly rollouts: number
  readonly concurrency: number
  readonly shard: Shard
  /** How many rows of the dataset, from the first on. Default: all. */
  readonly rows?: number
  readonly limits: BatchLimits
  readonly out: string
  readonly mode: ResultsMode
  /** Where the files of items lie. Default: `file_corpus` beside the dataset. */
  readonly files?: string
}

/** A batch whose results and journal are open. */
export interface OpenedBatch {
  readonly choice: ModelChoice
  /** Of this part of the dataset. */
  readonly rows: number
  /** Absolute. */
  readonly out: string
  run(parts: Pick<BatchParts, 'finishing' | 'onProgress' | 'onRollout'>): Promise<BatchEnd>
  /** Nothing of the batch is lost after it. */
  close(): Promise<void>
}

/** Looks at all that could be wrong before anything is run. Rejects with a `TaoError`. */
export async function openBatch(request: BatchRequest, settings: Settings): Promise<OpenedBatch> {
  const { overrides, shard } = request
  const [out, dataset] = [resolve(overrides.folder, request.out), resolve(overrides.folder, request.dataset)]
  const all = readDataset(await readText(dataset, request.dataset), formOf(request.dataset), request.dataset)
  const rows = shardOf(all.slice(0, request.rows), shard)
  const preset = await readPreset(request.task, overrides)
  const choice = await chooseModel(preset.template.wish, settings)
  expectPrice(request.limits, await openModel(choice, settings))
  const results = await openPlace({ request, out, preset, choice })
  const opened = await openJournal(settings).catch((error: unknown) => {
    results.close()
    throw error
  })
  const files =
    request.files === undefined ? join(dirname(dataset), 'file_corpus') : resolve(overrides.folder, request.files)
  const run = openRollouts({ preset, choice, endpoints: request.endpoints, files, settings, opened })
  const plan = { rows, rollouts: request.rollouts, concurrency: request.concurrency, limits: request.limits }
  return {
    ...{ choice, out, rows: rows.length },
    run: (parts) => runBatch(plan, { ...parts, results, run, now: Date.now }),
    async close() {
      await opened.close()
      results.close()
    },
  }
}

interface Place {
  readonly request: BatchRequest
  readonly out: string
  readonly preset: Preset
  readonly choice: ModelChoice
}

async function openPlace({ request, out, preset, choice }: Place): Promise<Results> {
  const { wish: _, ...task } = preset.template
  const results = await openResults(
    { folder: out, rollouts: request.rollouts, shard: request.shard, compat: task.compat !== undefined },
    request.mode,
  )
  try {
    keepManifest(out, { formatVersion: 1, dataset: request.dataset, model: choice.name, task, parts: request.shard.of })
    return results
  } catch (error) {
    results.close()
    throw error
  }
}

async function readText(absolute: string, path: string): Promise<string> {
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(absolute))
  } catch (error) {
    const problem = error instanceof TypeError ? 'is not UTF-8 text' : `cannot be read: ${describeError(error)}`
    throw new TaoError('dataset', `The dataset ${path} ${problem}.`, {
      fix: 'Give the path of a *.json or *.jsonl file.',
    })
  }
}

import { basename } from 'node:path'
import { isScripted } from '../app/models.ts'
import { type BatchRequest, type OpenedBatch, openBatch } from '../app/open-batch.ts'
import { expectCompat, expectProtocol } from '../app/protocols.ts'
import { readSettings } from '../app/settings.ts'
import { readShard } from '../batch/dataset.ts'
import type { BatchEnd, RolloutEnd } from '../batch/run-batch.ts'
import { TaoError } from '../core/error.ts'
import { count } from './amounts.ts'
import { type BatchView, batchSummary, openBatchView, rolloutLine } from './batch-view.ts'
import { cancelOnSignals } from './cancel-signals.ts'
import type { BatchFlags } from './flags.ts'
import { maxLimits } from './max-limits.ts'
import { jsonLine, short } from './printable.ts'
import { limitsIn } from './written-limits.ts'

/** Runs a dataset to its end, or until it is asked to finish. The exit code says whether all of it has been done. */
export async function batchCommand(dataset: string, flags: BatchFlags): Promise<void> {
  const batch = await openBatch(requestOf(dataset, flags), readSettings())
  using view = openBatchView(process.stderr, { quiet: flags.quiet === true || flags.json === true })
  using finishing = cancelOnSignals(() => view.say('Finishing what is running. Once more ends it; --resume goes on.'))
  process.once('exit', () => view[Symbol.dispose]()) // A second Ctrl-C leaves no half table on the terminal.
  try {
    sayWhat(batch, view, flags)
    const end = await batch.run({
      finishing: finishing.signal,
      onProgress: view.show,
      onRollout: (rollout) => sayRollout(rollout, view, flags),
    })
    view[Symbol.dispose]()
    const line = flags.json ? jsonLine({ kind: 'batch', out: batch.out, ...end }) : batchSummary(end, batch.out)
    process.stdout.write(`${line}\n`)
    process.exitCode = exitCodeOf(end)
  } finally {
    await batch.close()
  }
}

/** That a model is none is said first, whatever else is silent. */
function sayWhat({ choice, rows, out }: OpenedBatch, view: BatchView, { rollouts, quiet }: BatchFlags): void {
  const shown = isScripted(choice.name) ? `scripted/${basename(choice.name)}` : choice.name
  if (isScripted(choice.name)) view.say(`No real model: the replies come from a script, ${short(shown)}.`)
  if (quiet) return
  view.say(`model: ${short(shown)} (${short(choice.why, 300)})`)
  view.say(`${count(rows, 'question')}, ${count(Number(rollouts), 'rollout')} of each; results: ${short(out, 300)}`)
}

function sayRollout(end: RolloutEnd, view: BatchView, { json, quiet }: BatchFlags): void {
  if (json) process.stdout.write(`${jsonLine(forPrograms(end))}\n`)
  else if (!quiet) view.log(rolloutLine(end), end.kind !== 'recorded' || end.record.error !== undefined)
}

function forPrograms(end: RolloutEnd): object {
  const { id } = end.name.row
  const named = { kind: 'rollout', id, rollout: end.name.rollout }
  if (end.kind !== 'recorded') return { ...named, run: end.run, status: end.kind }
  const { run, termination, outcome, error } = end.record
  return { ...named, run, status: outcome?.status ?? 'failed', termination, ...(error === undefined ? {} : { error }) }
}

function exitCodeOf({ stopped, waiting, failed }: BatchEnd): number {
  if (stopped === 'finished early') return 130
  if (stopped !== undefined) return 4
  return waiting > 0 ? 5 : failed > 0 ? 1 : 0
}

function requestOf(dataset: string, flags: BatchFlags): BatchRequest {
  const { model, baseUrl = [], tools, corpus, protocol, compat, shard, limit, files, resume, retryFailed } = flags
  const [first] = baseUrl
  return {
    ...{ dataset, task: flags.task, out: flags.out, endpoints: baseUrl, limits: maxLimits(flags) },
    overrides: {
      folder: process.cwd(),
      ...(model === undefined ? {} : { model }),
      ...(first === undefined ? {} : { baseUrl: first }),
      ...(tools === undefined ? {} : { tools }),
      ...(corpus === undefined ? {} : { corpus }),
      ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
      ...(compat === undefined ? {} : { compat: expectCompat(compat) }),
      limits: limitsIn(flags),
    },
    rollouts: wholeNumber(flags.rollouts, '--rollouts'),
    concurrency: wholeNumber(flags.concurrency, '--concurrency'),
    shard: shard === undefined ? { number: 1, of: 1 } : readShard(shard),
    ...(limit === undefined ? {} : { rows: wholeNumber(limit, '--limit') }),
    ...(files === undefined ? {} : { files }),
    mode: retryFailed ? 'retry' : resume ? 'resume' : 'new',
  }
}

const LARGEST = 10_000_000

function wholeNumber(text: string, flag: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= LARGEST) return value
  throw new TaoError('usage', `${flag} must be a whole number above 0, not "${text}".`)
}

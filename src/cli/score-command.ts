import { join } from 'node:path'
import { isScripted } from '../app/models.ts'
import { expectCompat } from '../app/protocols.ts'
import { type ScoreEnd, type ScoreHooks, type ScoreRequest, scoreResults } from '../app/score-results.ts'
import { readSettings } from '../app/settings.ts'
import { priceIn } from '../app/written-price.ts'
import { TaoError } from '../core/error.ts'
import { cancelOnSignals } from './cancel-signals.ts'
import { comparisonTable } from './comparison-view.ts'
import type { ScoreFlags } from './flags.ts'
import { maxLimits } from './max-limits.ts'
import { jsonLine, short } from './printable.ts'
import { scoreTable } from './score-view.ts'

/** Judges results and prints what came out. The exit code says whether everything could be judged. */
export async function scoreCommand(results: readonly string[], flags: ScoreFlags): Promise<void> {
  const say = (text: string): unknown => process.stderr.write(text)
  const isTerminal = process.stderr.isTTY === true && flags.json !== true
  using cancelling = cancelOnSignals(() => say('Stopped. What was judged is kept.\n'))
  const end = await scoreOrStop(requestOf(results, flags), {
    signal: cancelling.signal,
    onModel(name) {
      if (isScripted(name)) say(`No real model: the judgements come from a script, ${short(name)}.\n`)
    },
    onScored(done, of) {
      if (isTerminal) say(`\r${done} of ${of} judged${done === of ? '\n' : ''}`)
    },
  })
  if (end === undefined) {
    process.exitCode = 130
    return
  }
  if (isTerminal && isCut(end)) say('\n')
  process.stdout.write(`${flags.json ? jsonLine(forPrograms(end)) : forPeople(end)}\n`)
  process.exitCode = isCut(end) ? 4 : end.sets.some(({ summary }) => summary.unjudged > 0) ? 1 : 0
}

/** Undefined when it was stopped. */
async function scoreOrStop(request: ScoreRequest, hooks: ScoreHooks): Promise<ScoreEnd | undefined> {
  try {
    return await scoreResults(request, readSettings(), hooks)
  } catch (error) {
    if (hooks.signal.aborted) return undefined
    throw error
  }
}

/** Ended by a limit. */
const isCut = ({ sets }: ScoreEnd): boolean => sets.some(({ left }) => left.length > 0)

const forPrograms = ({ sets, comparisons }: ScoreEnd): object => ({
  kind: 'score',
  sets: sets.map(({ name, out, summary }) => ({ name, out, summary })),
  comparisons,
})

function forPeople({ sets, comparisons }: ScoreEnd): string {
  const brief = comparisons.length > 0
  const tables = sets.map((set) => scoreTable(set, process.stdout, { brief }))
  const compared = brief ? [comparisonTable(comparisons, process.stdout)] : []
  const reports = sets.map(({ out }) => `Report: ${short(join(out, 'report.html'), 300)}`)
  return [...tables, ...compared, reports.join('\n')].join('\n\n')
}

function requestOf(results: readonly string[], flags: ScoreFlags): ScoreRequest {
  const { judge, judgeModel: model, judgePrice: price, baseUrl, by, compat, out } = flags
  return {
    ...{ results, judge, folder: process.cwd(), concurrency: atLeastOne(flags.concurrency), limits: maxLimits(flags) },
    ...(model === undefined ? {} : { model }),
    ...(price === undefined ? {} : { price: priceIn(price, '--judge-price') }),
    ...(baseUrl === undefined ? {} : { baseUrl }),
    ...(by === undefined ? {} : { by }),
    ...(compat === undefined ? {} : { compat: expectCompat(compat) }),
    ...(out === undefined ? {} : { out }),
  }
}

function atLeastOne(text: string): number {
  const value = Number(text)
  if (Number.isInteger(value) && value > 0 && value <= 10_000) return value
  throw new TaoError('usage', `--concurrency must be a whole number from 1 to 10,000, not "${text}".`)
}

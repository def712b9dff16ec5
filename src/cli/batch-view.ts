import { type Progress, rateOf, timeLeftOf } from '../batch/progress.ts'
import type { BatchEnd, RolloutEnd } from '../batch/run-batch.ts'
import { count, duration } from './amounts.ts'
import type { Screen } from './live-view.ts'
import { short } from './printable.ts'

/** Shows a batch to a person while it goes on. */
export interface BatchView extends Disposable {
  say(line: string): void
  /** What became of one rollout: on a pipe every line, on a terminal, where the table counts, those that need a look. */
  log(line: string, needsLook: boolean): void
  readonly show: (progress: Progress) => void
}

const REDRAW_MS = 250
/** Up one line, and everything from there on is gone. */
const CLEAR_TABLE = '\x1b[1A\r\x1b[J'

/** A terminal gets a table that is drawn again and again, a pipe plain lines only. */
export function openBatchView(screen: Screen, { quiet = false } = {}): BatchView {
  const isTable = screen.isTTY === true && !quiet
  let progress: Progress | undefined
  let isShown = false
  const hide = (): void => {
    if (isShown) screen.write(CLEAR_TABLE)
    isShown = false
  }
  const draw = (): void => {
    if (progress === undefined) return
    hide()
    const width = (screen.columns || 80) - 1 // A wrapped line could not be cleared.
    screen.write(
      tableOf(progress)
        .map((line) => line.slice(0, width))
        .join('\n'),
    )
    isShown = true
  }
  const say = (line: string): void => {
    hide()
    screen.write(`${line}\n`)
  }
  const timer = isTable ? setInterval(draw, REDRAW_MS).unref() : undefined
  return {
    say,
    log(line, needsLook) {
      if (!isTable || needsLook) say(line)
    },
    show: (now) => {
      progress = now
    },
    [Symbol.dispose]() {
      clearInterval(timer)
      hide()
    },
  }
}

const WIDTHS = [17, 9, 8, 16, 12, 14]

/** Two lines: what is counted, and how much. */
export function tableOf(progress: Progress): [head: string, values: string] {
  const left = timeLeftOf(progress)
  const columns: readonly (readonly [string, string])[] = [
    ['done', `${number(progress.before + progress.done)} / ${number(progress.total)}`],
    ['running', number(progress.running)],
    ['failed', number(progress.failed)],
    ['spend', spendOf(progress)],
    ['rate', `${rateOf(progress).toFixed(1)} / min`],
    ['time left', left === undefined ? '…' : duration(left)],
  ]
  const line = (which: 0 | 1): string => columns.map((column, at) => column[which].padEnd(WIDTHS[at] ?? 0)).join(' ')
  return [line(0).trimEnd(), line(1).trimEnd()]
}

const number = (n: number): string => n.toLocaleString('en')

/** Dollars where the price is known, else tokens. */
const spendOf = ({ cost, tokens }: Progress): string =>
  cost === undefined ? count(tokens, 'token') : `$${cost.toFixed(cost < 1 ? 4 : 2)}`

/** One line for a log. */
export function rolloutLine(end: RolloutEnd): string {
  const { row, rollout } = end.name
  const named = `${short(row.id, 40)}  rollout ${rollout}`
  if (end.kind !== 'recorded')
    return `${named}  ${end.kind === 'waiting' ? `waits for an answer: tao approve ${end.run}` : `parked: ${end.run}`}`
  const { outcome, error, run } = end.record
  const facts = outcome === undefined ? '' : `  ${count(outcome.modelCalls, 'call')}  ${duration(outcome.durationMs)}`
  const said = error === undefined ? '' : `  ! ${short(error, 200)}`
  return `${named}  ${outcome?.status ?? 'not run'}${facts}${run === undefined ? '' : `  ${run}`}${said}`
}

/** What a person reads at the end. */
export function batchSummary(end: BatchEnd, out: string): string {
  const { total, before, done, failed, waiting, parked, elapsed, stopped } = end
  const notes = [
    ...(failed === 0 ? [] : [`${number(failed)} were not really tried`]),
    ...(waiting === 0 ? [] : [`${number(waiting)} wait for an answer`]),
    ...(parked === 0 ? [] : [`${number(parked)} were stopped on the way`]),
  ]
  const missing = total - before - done
  const why =
    stopped === undefined
      ? ''
      : stopped === 'finished early'
        ? ' It was finished early.'
        : ` The limit --max-${stopped} was reached.`
  return [
    `${number(before + done)} of ${count(total, 'rollout')} have their record in ${short(out, 300)}${notes.length === 0 ? '' : ` (${notes.join(', ')})`}.${why}`,
    `${spendOf(end)} · ${duration(elapsed)}`,
    ...(missing === 0 ? [] : [`The other ${number(missing)}: the same command with --resume.`]),
  ].join('\n')
}

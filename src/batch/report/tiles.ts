import type { Share } from '../score/shares.ts'
import type { Summary } from '../score/summary.ts'
import { escapeHtml, percent } from './svg.ts'

/** The top of the page: what was judged by whom, the score, and the figures that people ask for next. */
export function headOf(name: string, summary: Summary): string {
  const { averagePassAt1: score, rounds, judge, judgeModel, models } = summary
  const part = summary.notJudged === 0 ? '' : ' of what was judged'
  const by = judgeModel === undefined ? judge : `${judge}, ${judgeModel}`
  const about = [
    `${number(summary.items)} items`,
    `${number(rounds.length)} ${rounds.length === 1 ? 'rollout' : 'rollouts'}`,
    ...(models.length === 0 ? [] : [models.join(', ')]),
    `judged by ${by}`,
  ]
  return `<header>
<div class="title"><p class="kind">Tao · scores</p><h1>${escapeHtml(name)}</h1><p class="about">${about.map(escapeHtml).join(' <i></i> ')}</p></div>
<div class="score"><p>${score.share === undefined ? '–' : (score.share * 100).toFixed(1)}<small>%</small></p>
<p class="about">Pass@1${rounds.length > 1 ? ', average' : ''}${part}${intervalOf(score)}</p></div>
</header>
${doubtsOf(summary)}<dl class="tiles">${tilesOf(summary).map(tile).join('')}</dl>`
}

const intervalOf = ({ low, high }: Share): string =>
  low === undefined || high === undefined ? '' : ` · ${(low * 100).toFixed(1)} to ${percent(high)}`

/** What makes a score less than it seems stands before everything else. */
function doubtsOf({ notJudged, limit, missing, failed, unjudged, problems }: Summary): string {
  const told = (count: number, one: string, what: string): string[] =>
    count === 0 ? [] : [`${number(count)} ${one}${count === 1 ? '' : 's'} ${what}.`]
  const doubts = [
    ...told(notJudged, 'attempt', `not judged, counted nowhere: the limit --max-${limit} was reached`),
    ...told(missing, 'rollout', 'without a record, counted nowhere'),
    ...told(failed, 'attempt', 'not really tried, counted as not correct'),
    ...told(unjudged, 'attempt', 'that could not be judged, counted as not correct'),
    ...told(problems.length, 'line', 'of the results that cannot be read as a record'),
  ]
  return doubts.length === 0 ? '' : `<p class="doubts">${doubts.join(' ')}</p>\n`
}

type Tile = readonly [label: string, value: string, note: string]

function tilesOf({ bestPassAt1, passAt, statistics, rounds, solved }: Summary): Tile[] {
  const last = passAt.at(-1)
  const { invalid, attempts, turns, toolCalls, inputTokens, outputTokens, cost, durationMs } = statistics
  return [
    ...(rounds.length < 2 || bestPassAt1?.share === undefined
      ? []
      : [['Best Pass@1', percent(bestPassAt1.share), `rollout ${bestPassAt1.rollout}`] as const]),
    ...(rounds.length < 2 || last?.share === undefined
      ? []
      : [[`Pass@${last.k}`, percent(last.share), 'right at least once'] as const]),
    ['No answer', number(invalid), `of ${number(attempts)} attempts`],
    ...known(
      'Steps',
      turns,
      (value) => value.toFixed(1),
      solved.turns === undefined ? 'an attempt' : `${solved.turns.toFixed(1)} when correct`,
    ),
    ...known('Tool calls', toolCalls, (value) => value.toFixed(1), 'an attempt'),
    ...known('Tokens', inputTokens, (value) => number(Math.round(value + (outputTokens ?? 0))), 'an attempt'),
    ...known('Cost', cost, (value) => `$${value.toFixed(4)}`, 'an attempt'),
    ...known('Time', durationMs, (value) => `${(value / 1000).toFixed(1)} s`, 'an attempt'),
  ]
}

const known = (label: string, value: number | undefined, format: (value: number) => string, note: string): Tile[] =>
  value === undefined ? [] : [[label, format(value), note]]

const tile = ([label, value, note]: Tile): string =>
  `<div><dt>${escapeHtml(label)}</dt><dd>${escapeHtml(value)}</dd><dd class="note">${escapeHtml(note)}</dd></div>`

const number = (count: number): string => count.toLocaleString('en')

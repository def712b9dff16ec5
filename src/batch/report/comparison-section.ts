import { oneLine } from '../../core/clip.ts'
import type { ComparedItem, Comparison } from '../score/compare.ts'
import { element, escapeHtml, legend, percent } from './svg.ts'

const MOST_LISTED = 200

/** The second set against the first; `places` says where the page of an item is. */
export function comparisonSection(comparison: Comparison, places: ReadonlyMap<string, number>): string {
  const { first, scores, onlyFirst, onlySecond, notJudged } = comparison
  const means = scores === undefined ? '' : `${percent(scores.first)} → ${percent(scores.second)}. `
  const alone = onlyFirst + onlySecond
  const unpaired = alone === 0 ? '' : ` ${itemsAre(alone)} in one of them only.`
  const open = notJudged === 0 ? '' : ` ${itemsAre(notJudged)} not judged in both, and compared with nothing.`
  return `<section class="comparison">
<h2>Against ${escapeHtml(first)}</h2>
<p>${means}${signTestOf(comparison)}${unpaired}${open}</p>
${outcomeBar(comparison)}
${differences(comparison, places)}
</section>`
}

const itemsAre = (count: number): string => (count === 1 ? '1 item is' : `${count.toLocaleString('en')} items are`)

function differences({ first, second, items }: Comparison, places: ReadonlyMap<string, number>): string {
  const moved = items.filter(({ result }) => result !== 'tie')
  if (moved.length === 0) return ''
  const rows = moved.slice(0, MOST_LISTED).map((item) => rowOf(item, places))
  const more = moved.length - rows.length
  return `<details${moved.length <= 20 ? ' open' : ''}><summary>${itemsAre(moved.length)} different</summary>
<table><thead><tr><th>Item</th><th>${escapeHtml(first)}</th><th>${escapeHtml(second)}</th></tr></thead><tbody>
${rows.join('\n')}
</tbody></table>${more === 0 ? '' : `<p>The other ${more} stand in comparison.json.</p>`}</details>`
}

function signTestOf({ p, adjustedP }: Comparison): string {
  const raised = adjustedP === undefined ? '' : ` (by Holm ${adjustedP.toPrecision(3)}, as several sets were compared)`
  const meaning = (adjustedP ?? p) < 0.05 ? 'more than chance' : 'which may be chance'
  return `Sign test: p = ${p.toPrecision(3)}${raised}, ${meaning}.`
}

function rowOf({ id, question, first, second, result }: ComparedItem, places: ReadonlyMap<string, number>): string {
  const named = `<a href="#item-${places.get(id)}">${escapeHtml(oneLine(question, 140) || id)}</a>`
  return `<tr class="${result}"><td>${named}</td><td>${percent(first, 0)}</td><td>${percent(second, 0)}</td></tr>`
}

/** Its figures stand beside it, as a part may be too narrow for a word. */
function outcomeBar({ wins, losses, ties }: Comparison): string {
  const parts = [
    ['good', wins, 'won'],
    ['tie', ties, 'the same'],
    ['bad', losses, 'lost'],
  ] as const
  let x = 0
  const bars = parts.map(([tone, count]) => {
    const bar = element('rect', { x, y: 0, width: count, height: 1, class: `bar ${tone}` })
    x += count
    return bar
  })
  const said = parts.map(([tone, count, what]) => legend(tone, `${count.toLocaleString('en')} ${what}`))
  const view = { viewBox: `0 0 ${Math.max(1, x)} 1`, preserveAspectRatio: 'none', 'aria-hidden': 'true' }
  return `<p class="outcome">${said.join(' ')}</p>${element('svg', view, bars.join(''))}`
}

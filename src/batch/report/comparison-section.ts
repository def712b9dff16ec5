import { oneLine } from '../../core/clip.ts'
import type { ComparedItem, Comparison } from '../score/compare.ts'
import { drawing, element, escapeHtml, percent, text } from './svg.ts'

const MOST_LISTED = 200

/** The second set against the first; `places` says where the page of an item is. */
export function comparisonSection(comparison: Comparison, places: ReadonlyMap<string, number>): string {
  const { first, second, p, scores, items, onlyFirst, onlySecond } = comparison
  const moved = items.filter(({ result }) => result !== 'tie')
  const means = scores === undefined ? '' : `${percent(scores.first)} → ${percent(scores.second)}. `
  const unpaired = onlyFirst + onlySecond === 0 ? '' : ` ${onlyFirst + onlySecond} items are in one of them only.`
  return `<section class="comparison">
<h2>Against ${escapeHtml(first)}</h2>
<p>${means}Sign test: p = ${p.toPrecision(3)}, ${p < 0.05 ? 'more than chance' : 'which may be chance'}.${unpaired}</p>
${outcomeBar(comparison)}
<details${moved.length <= 20 ? ' open' : ''}><summary>${moved.length} items differ</summary>
<table><thead><tr><th>Item</th><th>${escapeHtml(first)}</th><th>${escapeHtml(second)}</th></tr></thead><tbody>
${moved
  .slice(0, MOST_LISTED)
  .map((item) => rowOf(item, places))
  .join('\n')}
</tbody></table>${moved.length > MOST_LISTED ? `<p>The other ${moved.length - MOST_LISTED} stand in comparison.json.</p>` : ''}</details>
</section>`
}

function rowOf({ id, question, first, second, result }: ComparedItem, places: ReadonlyMap<string, number>): string {
  const named = `<a href="#item-${places.get(id)}">${escapeHtml(oneLine(question, 140) || id)}</a>`
  return `<tr class="${result}"><td>${named}</td><td>${percent(first, 0)}</td><td>${percent(second, 0)}</td></tr>`
}

function outcomeBar({ wins, losses, ties }: Comparison): string {
  const [width, all] = [1080, Math.max(1, wins + losses + ties)]
  let x = 0
  const parts = (
    [
      ['won', wins, 'good'],
      ['the same', ties, 'tie'],
      ['lost', losses, 'bad'],
    ] as const
  ).map(([name, count, tone]) => {
    const wide = (count / all) * width
    const bar = element('rect', { x, y: 0, width: wide, height: 26, class: `bar ${tone}` })
    const named = wide < 70 ? '' : text(x + 10, 18, `${count} ${name}`, { class: `inbar ${tone}` })
    x += wide
    return bar + named
  })
  return drawing(width, 26, `${wins} won, ${ties} the same, ${losses} lost`, parts.join(''))
}

import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { basename, relative } from 'node:path'
import type { Comparison } from '../score/compare.ts'
import { itemsOf } from '../score/items.ts'
import type { Scored } from '../score/score.ts'
import type { Summary } from '../score/summary.ts'
import { chartsOf } from './charts.ts'
import { comparisonSection } from './comparison-section.ts'
import { pageOf, rowOf } from './item-data.ts'
import { escapeHtml } from './svg.ts'
import { headOf } from './tiles.ts'

export interface ReportMaterial {
  readonly name: string
  /** The folder it will stand in: links to results are relative to it. */
  readonly out: string
  readonly scored: readonly Scored[]
  readonly summary: Summary
  readonly comparison?: Comparison
}

/** `report` stands beside `src`, and in the package beside `dist`. */
const part = (name: string): string => readFileSync(new URL(`../../../report/${name}`, import.meta.url), 'utf8')

/** Characters of traces in one report, and of one trace. */
const ALL_TRACES = 6_000_000
const ONE_TRACE = 20_000

/**
 * One page that holds everything it shows and may reach nothing. What models and datasets wrote is in it as data, which the
 * page's script only ever shows as text; no other script may run.
 */
export function writeReport({ name, out, scored, summary, comparison }: ReportMaterial): string {
  const items = itemsOf(scored)
  const script = part('page.js')
  const budget = Math.min(ONE_TRACE, Math.floor(ALL_TRACES / Math.max(1, scored.length)))
  const linkTo = (file: string): string => encodeURI(relative(out, file)) || basename(file)
  const pages = items.map((item, at) => dataScript(`item-${at}`, pageOf(item, budget, linkTo)))
  return `<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="${policyFor(script)}">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
<title>${escapeHtml(name)} · scores</title>
<link rel="icon" href="data:,">
<style>${part('page.css')}</style>
</head>
<body>
<main id="overview">
${headOf(name, summary)}
${comparison === undefined ? '' : comparisonSection(comparison, new Map(items.map(({ id }, at) => [id, at])))}
<section class="charts">
${chartsOf({ summary, items, scored })}
</section>
${part('items.html')}
</main>
<main id="item" hidden></main>
${dataScript(
  'rows',
  items.map((item) => rowOf(item, summary)),
)}
${pages.join('\n')}
<script>${script}</script>
</body>
</html>
`
}

/** Nothing in the data can end its element. */
const dataScript = (id: string, value: object): string =>
  `<script type="application/json" id="${id}">${JSON.stringify(value).replaceAll('<', '\\u003c')}</script>`

const policyFor = (script: string): string =>
  `default-src 'none'; style-src 'unsafe-inline'; img-src data:; script-src 'sha256-${createHash('sha256').update(script).digest('base64')}'`

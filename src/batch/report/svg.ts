/*
 * What all charts are drawn with. Colours and type are those of report/page.css, so that light and dark need no second drawing.
 */

const FORBIDDEN: Readonly<Record<string, string>> = {
  '&': '&amp;',
  '<': '&lt;',
  '>': '&gt;',
  '"': '&quot;',
  "'": '&#39;',
}

/** Any text as part of a page. */
export const escapeHtml = (text: string): string => text.replaceAll(/[&<>"']/g, (mark) => FORBIDDEN[mark] ?? mark)

type Values = Readonly<Record<string, string | number | undefined>>

/** One element; attributes without a value are left out. `inside` is markup already. */
export function element(name: string, values: Values, inside = ''): string {
  const attributes = Object.entries(values).flatMap(([key, value]) =>
    value === undefined ? [] : [` ${key}="${escapeHtml(typeof value === 'number' ? rounded(value) : value)}"`],
  )
  return `<${name}${attributes.join('')}>${inside}</${name}>`
}

const rounded = (value: number): string => `${Math.round(value * 100) / 100}`

export const text = (x: number, y: number, words: string, values: Values = {}): string =>
  element('text', { x, y, ...values }, escapeHtml(words))

export const line = (from: readonly [number, number], to: readonly [number, number], style: string): string =>
  element('line', { x1: from[0], y1: from[1], x2: to[0], y2: to[1], class: style })

/** What is told of an element when one points at it. */
export const tooltip = (words: string): string => element('title', {}, escapeHtml(words))

/** What a colour stands for. `words` are markup already. */
export const legend = (tone: string, words: string): string =>
  `<span class="legend"><span class="key ${tone}"></span>${words}</span>`

/** A drawing with a sentence for those who cannot see it. */
export const drawing = (width: number, height: number, label: string, inside: string): string =>
  element('svg', { viewBox: `0 0 ${width} ${height}`, role: 'img', 'aria-label': label }, inside)

/** Words are cut at so many characters; whole, they stand in a tooltip. */
export const label = (x: number, y: number, words: string, most: number, values: Values = {}): string =>
  element(
    'text',
    { x, y, ...values },
    words.length <= most ? escapeHtml(words) : `${escapeHtml(words.slice(0, most - 1))}…${tooltip(words)}`,
  )

/** 0 for none. Lists may be longer than a function takes arguments. */
export const highest = (values: readonly number[]): number => values.reduce((most, value) => Math.max(most, value), 0)

/** From 0 to at least `most`, in steps of 1, 2 or 5 times a power of ten, about `count` of them. */
export function ticks(most: number, count = 5): number[] {
  const rough = (most > 0 ? most : 1) / count
  const power = 10 ** Math.floor(Math.log10(rough))
  const step = power * ([1, 2, 5, 10].find((each) => each * power >= rough) ?? 10)
  return Array.from({ length: Math.ceil((most > 0 ? most : 1) / step - 1e-9) + 1 }, (_, at) => at * step)
}

export const percent = (share: number, digits = 1): string => `${(share * 100).toFixed(digits)} %`

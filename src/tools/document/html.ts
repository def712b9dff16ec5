import { gfm } from '@joplin/turndown-plugin-gfm'
import { Readability } from '@mozilla/readability'
import { parseHTML } from 'linkedom'
import TurndownService from 'turndown'
import type { ReadableText } from './reading.ts'

/** Markdown of a page's own text: without menus, scripts, pictures and what no reader would see; links made whole. */
export function htmlToMarkdown(html: string, url?: string): ReadableText {
  const document = parsePage(html)
  const title = document.querySelector('title')?.textContent.trim() ?? ''
  clean(document, url)
  const { innerHTML, textContent } = document.body
  const all = { content: innerHTML, length: textContent.replaceAll(/\s+/g, ' ').length }
  const article = new Readability(document as never, { maxElemsToParse: MOST_ELEMENTS }).parse()
  const content =
    article?.content && (article.length ?? 0) >= all.length * SMALLEST_SHARE ? article.content : all.content
  const text = turndown().turndown(content).trim()
  if (text === '') throw new Error('the page has no text; perhaps it is made by scripts')
  const best = article?.title?.trim() || title
  return { ...(best === '' ? {} : { title: best }), text }
}

/** Markdown of markup that is all text of its own: nothing is taken for a menu. */
export function markupToMarkdown(html: string): string {
  const document = parsePage(html)
  clean(document, undefined)
  return turndown().turndown(document.body.innerHTML).trim()
}

function parsePage(html: string): PageDocument {
  // The parser takes what it gets for a whole page only where it finds a body.
  const page = /<body[\s>]/i.test(html) ? html : `<html><head></head><body>${html}</body></html>`
  return (parseHTML(page) as unknown as { readonly document: PageDocument }).document
}

/** What was found to be the article is taken for it only when it is a good part of the page: lists and tables are not found. */
const SMALLEST_SHARE = 0.25
const MOST_ELEMENTS = 100_000

/** What of the DOM is used here. */
interface PageElement {
  readonly textContent: string
  readonly innerHTML: string
  getAttribute(name: string): string | null
  setAttribute(name: string, value: string): void
  removeAttribute(name: string): void
  replaceWith(...nodes: readonly string[]): void
  remove(): void
  querySelector(selector: string): PageElement | null
  querySelectorAll(selector: string): Iterable<PageElement>
}

interface PageDocument extends PageElement {
  readonly body: PageElement
}

const UNSEEN =
  'title, script, style, noscript, template, iframe, object, svg, canvas, video, audio, dialog, [hidden], [aria-hidden="true"]'
const UNSEEN_STYLE = /display\s*:\s*none|visibility\s*:\s*hidden/i

function clean(document: PageDocument, url: string | undefined): void {
  const given = document.querySelector('base[href]')?.getAttribute('href')
  const from = URL.parse(given ?? '', url)?.href ?? url
  for (const element of [...document.querySelectorAll(UNSEEN)]) element.remove()
  for (const element of [...document.querySelectorAll('[style]')])
    if (UNSEEN_STYLE.test(element.getAttribute('style') ?? '')) element.remove()
  for (const image of [...document.querySelectorAll('img')]) {
    const words = image.getAttribute('alt')?.trim() ?? ''
    image.replaceWith(words === '' ? '' : ` (picture: ${words}) `)
  }
  for (const link of document.querySelectorAll('a[href]')) makeWhole(link, from)
  // Markdown has no blocks in the cells of a table.
  for (const cell of [...document.querySelectorAll('td, th')])
    if (cell.querySelector('p, div, ul, ol, pre, h1, h2, h3, h4, br') && !cell.querySelector('table')) flatten(cell)
}

function makeWhole(link: PageElement, from: string | undefined): void {
  const href = URL.parse(link.getAttribute('href') ?? '', from)
  if (href !== null && /^https?:$/.test(href.protocol)) link.setAttribute('href', href.href)
  else link.removeAttribute('href')
}

function flatten(cell: PageElement): void {
  for (const blocks of ['li, p, div, br, pre, h1, h2, h3, h4', 'ul, ol'])
    for (const block of [...cell.querySelectorAll(blocks)]) block.replaceWith(` ${block.textContent} `)
}

function turndown(): TurndownService {
  const service = new TurndownService({ headingStyle: 'atx', codeBlockStyle: 'fenced', bulletListMarker: '-' })
  return service.use(gfm)
}

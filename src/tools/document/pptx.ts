import { posix } from 'node:path'
import { DOMParser } from 'linkedom'
import type { ReadableText } from './reading.ts'
import { markdownTable } from './table.ts'
import { unpack } from './zip.ts'

/** The text of slides in their order: paragraphs, tables and the speaker's notes. Throws for what is no presentation. */
export function pptxToText(bytes: Uint8Array): ReadableText {
  const { files } = unpack(bytes, ({ name }) => /^ppt\/.+\.(?:xml|rels)$/.test(name))
  const slides = slidesIn(files)
  const parts = slides.map((path, index) =>
    [`[slide ${index + 1} of ${slides.length}]`, ...blocksIn(parse(files, path)), ...notesOf(files, path)].join('\n'),
  )
  if (slides.length === 0) throw new Error('it is no presentation, or one without slides')
  return { text: parts.join('\n\n') }
}

type Files = ReadonlyMap<string, Uint8Array>

/** What of the DOM is used here. */
interface Node {
  readonly nodeName: string
  readonly textContent: string
  readonly children: Iterable<Node>
  getAttribute(name: string): string | null
  getElementsByTagName(name: string): Iterable<Node>
}

function parse(files: Files, path: string): Node | undefined {
  const bytes = files.get(path)
  // The parser knows no entities but those of XML itself, so none can grow.
  return bytes && (new DOMParser().parseFromString(Buffer.from(bytes).toString(), 'text/xml') as unknown as Node)
}

const all = (node: Node | undefined, name: string): Node[] => [...(node?.getElementsByTagName(name) ?? [])]

const PRESENTATION = 'ppt/presentation.xml'

function slidesIn(files: Files): string[] {
  const targets = targetsOf(files, PRESENTATION)
  return all(parse(files, PRESENTATION), 'p:sldId').flatMap((slide) => {
    const target = targets.get(slide.getAttribute('r:id') ?? '')
    return target === undefined || !files.has(target.path) ? [] : [target.path]
  })
}

interface Target {
  readonly path: string
  readonly type: string
}

/** What a part of the presentation points at, by the names it uses. */
function targetsOf(files: Files, path: string): Map<string, Target> {
  const folder = posix.dirname(path)
  const relations = parse(files, `${folder}/_rels/${posix.basename(path)}.rels`)
  return new Map(
    all(relations, 'Relationship').map((relation) => {
      const to = relation.getAttribute('Target') ?? ''
      const target = to.startsWith('/') ? to.slice(1) : posix.join(folder, to)
      return [relation.getAttribute('Id') ?? '', { path: target, type: relation.getAttribute('Type') ?? '' }]
    }),
  )
}

function notesOf(files: Files, slide: string): string[] {
  const notes = [...targetsOf(files, slide).values()].filter(({ type }) => type.endsWith('/notesSlide'))
  const lines = notes.flatMap(({ path }) => blocksIn(parse(files, path)))
  return lines.length === 0 ? [] : ['Notes:', ...lines]
}

/** Paragraphs and tables, in their order. */
function blocksIn(node: Node | undefined): string[] {
  if (node === undefined) return []
  if (node.nodeName === 'a:p') return [textOf(node)].filter((text) => text !== '')
  if (node.nodeName === 'a:tbl') return [markdownTable(all(node, 'a:tr').map(cellsOf))]
  return [...node.children].flatMap(blocksIn)
}

const cellsOf = (row: Node): string[] => all(row, 'a:tc').map((cell) => all(cell, 'a:p').map(textOf).join(' '))

const textOf = (paragraph: Node): string =>
  all(paragraph, 'a:t')
    .map(({ textContent }) => textContent)
    .join('')
    .trim()

import { strToU8, zipSync } from 'fflate'

/** A ZIP archive of contents by name. */
export const zipOf = (files: Readonly<Record<string, string | Uint8Array>>, level: 0 | 1 = 1): Uint8Array =>
  zipSync(Object.fromEntries(Object.entries(files).map(([name, content]) => [name, bytesOf(content)])), { level })

const bytesOf = (content: string | Uint8Array): Uint8Array => (typeof content === 'string' ? strToU8(content) : content)

const XML = '<?xml version="1.0" encoding="UTF-8" standalone="yes"?>'
const TYPES = 'http://schemas.openxmlformats.org/package/2006/content-types'
const RELATIONS = 'http://schemas.openxmlformats.org/package/2006/relationships'
const OFFICE = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'
const WORD = 'http://schemas.openxmlformats.org/wordprocessingml/2006/main'
const DRAWING = 'http://schemas.openxmlformats.org/drawingml/2006/main'
const SLIDES = 'http://schemas.openxmlformats.org/presentationml/2006/main'

const relations = (targets: readonly (readonly [type: string, target: string])[]): string =>
  `${XML}<Relationships xmlns="${RELATIONS}">${targets
    .map(([type, target], at) => `<Relationship Id="r${at + 1}" Type="${OFFICE}/${type}" Target="${target}"/>`)
    .join('')}</Relationships>`

/** A Word document around the XML of a body. */
export const docxOf = (body: string, prologue = ''): Uint8Array =>
  zipOf({
    '[Content_Types].xml': `${XML}<Types xmlns="${TYPES}"><Override PartName="/word/document.xml" ContentType="application/vnd.openxmlformats-officedocument.wordprocessingml.document.main+xml"/></Types>`,
    '_rels/.rels': relations([['officeDocument', 'word/document.xml']]),
    'word/document.xml': `${XML}${prologue}<w:document xmlns:w="${WORD}"><w:body>${body}</w:body></w:document>`,
  })

/** A paragraph of a Word document. */
export const wordParagraph = (text: string, style = ''): string =>
  `<w:p>${style === '' ? '' : `<w:pPr><w:pStyle w:val="${style}"/></w:pPr>`}<w:r><w:t>${text}</w:t></w:r></w:p>`

export const wordTable = (rows: readonly (readonly string[])[]): string =>
  `<w:tbl>${rows.map((row) => `<w:tr>${row.map((cell) => `<w:tc>${wordParagraph(cell)}</w:tc>`).join('')}</w:tr>`).join('')}</w:tbl>`

/** A presentation whose slides are stored in the reverse of their order; the first has notes. */
export function pptxOf(slides: readonly string[], notes: string): Uint8Array {
  const last = slides.length
  return zipOf({
    'ppt/presentation.xml': `${XML}<p:presentation xmlns:p="${SLIDES}" xmlns:r="${OFFICE}"><p:sldIdLst>${slides
      .map((_, at) => `<p:sldId id="${256 + at}" r:id="r${at + 1}"/>`)
      .join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': relations(slides.map((_, at) => ['slide', `slides/slide${last - at}.xml`])),
    [`ppt/slides/_rels/slide${last}.xml.rels`]: relations([['notesSlide', '../notesSlides/notesSlide1.xml']]),
    'ppt/notesSlides/notesSlide1.xml': slide(slideText(notes)),
    ...Object.fromEntries(slides.map((text, at) => [`ppt/slides/slide${last - at}.xml`, slide(text)])),
  })
}

const slide = (inner: string): string =>
  `${XML}<p:sld xmlns:p="${SLIDES}" xmlns:a="${DRAWING}"><p:cSld><p:spTree>${inner}</p:spTree></p:cSld></p:sld>`

const drawn = (text: string): string => `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`

export const slideText = (text: string): string => `<p:sp><p:txBody>${drawn(text)}</p:txBody></p:sp>`

export const slideTable = (rows: readonly (readonly string[])[]): string =>
  `<a:tbl>${rows.map((row) => `<a:tr>${row.map((cell) => `<a:tc><a:txBody>${drawn(cell)}</a:txBody></a:tc>`).join('')}</a:tr>`).join('')}</a:tbl>`

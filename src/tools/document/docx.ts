import mammoth from 'mammoth'
import { markupToMarkdown } from './html.ts'
import type { ReadableText } from './reading.ts'
import { repack } from './zip.ts'

/** Markdown of a Word document: headings, lists, tables, notes; pictures by their words only. Throws for what is none. */
export async function docxToMarkdown(bytes: Uint8Array): Promise<ReadableText> {
  const buffer = Buffer.from(repack(bytes, ({ name }) => /\.(?:xml|rels)$/i.test(name)))
  const convertImage = mammoth.images.imgElement(async () => ({ src: '' }))
  const { value } = await mammoth.convertToHtml({ buffer }, { convertImage, externalFileAccess: false })
  const text = markupToMarkdown(withHeaders(value))
  if (text === '') throw new Error('the document has no text')
  return { text }
}

/** Word rarely says which row is the header, and a table of Markdown has one. */
const withHeaders = (html: string): string =>
  html.replaceAll(/<table><tr>.*?<\/tr>/gs, (row) => row.replaceAll(/(<\/?)td\b/g, '$1th'))

import { extractText, getDocumentProxy } from 'unpdf'
import type { ReadableText } from './reading.ts'

/** The text of a PDF, each page below its number. Throws for what is no PDF, is locked, or has only pictures. */
export async function pdfToText(bytes: Uint8Array): Promise<ReadableText> {
  const pdf = await getDocumentProxy(bytes, { verbosity: 0, disableFontFace: true })
  const { totalPages, text } = await extractText(pdf, { mergePages: false })
  if (text.every((page) => page.trim() === ''))
    throw new Error(`it has ${totalPages} pages and no text: perhaps they are pictures of pages`)
  const pages = text.map((page, index) => `[page ${index + 1} of ${totalPages}]\n${page.trim()}`)
  const title = titleIn(await pdf.getMetadata())
  return { ...(title === undefined ? {} : { title }), text: pages.join('\n\n') }
}

function titleIn({ info }: { readonly info: object }): string | undefined {
  const title = 'Title' in info && typeof info.Title === 'string' ? info.Title.trim() : ''
  return title === '' ? undefined : title
}

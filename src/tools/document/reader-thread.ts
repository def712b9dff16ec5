import { parentPort } from 'node:worker_threads'
import { describeError } from '../../core/error.ts'
import { decodeText } from './decode.ts'
import { DocumentError } from './document-error.ts'
import type { ReadAnswer, ReadableText, ReadOrder } from './reading.ts'

/* Runs in a thread of its own: reads one document after the other. What reads a kind is loaded with the first of that kind. */

parentPort?.on('message', async (order: ReadOrder) => parentPort?.postMessage(await answer(order)))

async function answer(order: ReadOrder): Promise<ReadAnswer> {
  try {
    return { ok: true, value: await read(order) }
  } catch (error) {
    const isLimit = error instanceof DocumentError && error.kind === 'limit'
    return { ok: false, problem: describeError(error), isLimit }
  }
}

async function read(order: ReadOrder): Promise<ReadableText> {
  switch (order.kind) {
    case 'html':
      return (await import('./html.ts')).htmlToMarkdown(decodeText(order), order.url)
    case 'pdf':
      return await (await import('./pdf.ts')).pdfToText(order.bytes)
    case 'docx':
      return await (await import('./docx.ts')).docxToMarkdown(order.bytes)
    case 'pptx':
      return (await import('./pptx.ts')).pptxToText(order.bytes)
    case 'sheet':
      return await (await import('./sheet.ts')).sheetsToText(order.bytes)
    case 'table':
      return (await import('./csv.ts')).csvToText(decodeText(order))
    case 'json':
      return (await import('./json.ts')).jsonToText(decodeText(order))
    case 'picture':
      return { text: (await import('./picture.ts')).sizeOfPicture(order.bytes) }
    case 'zip':
      return await (await import('./archive.ts')).archiveToText(order.bytes, read)
  }
}

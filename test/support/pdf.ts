import { deflateSync } from 'node:zlib'

/** A small PDF with one line of text on each page; an empty line makes a page without text. */
export const pdfOf = (lines: readonly string[], title = 'A title'): Uint8Array =>
  pdfFrom(
    lines.map((line) => ({ head: '', content: line === '' ? '' : `BT /F1 24 Tf 72 700 Td (${line}) Tj ET` })),
    title,
  )

/** A small PDF whose only page is drawn by what these bytes were before they were packed. */
export const packedPdf = (bytes: Uint8Array): Uint8Array =>
  pdfFrom([{ head: ' /Filter /FlateDecode', content: deflateSync(bytes).toString('latin1') }], 'Packed')

interface PageStream {
  readonly head: string
  /** A character for each byte. */
  readonly content: string
}

function pdfFrom(streams: readonly PageStream[], title: string): Uint8Array {
  const pages = streams.map((_, i) => `${3 + 2 * i} 0 R`).join(' ')
  const bodies = [
    '<< /Type /Catalog /Pages 2 0 R >>',
    `<< /Type /Pages /Kids [${pages}] /Count ${streams.length} >>`,
    ...streams.flatMap(({ head, content }, i) => [
      `<< /Type /Page /Parent 2 0 R /MediaBox [0 0 612 792] /Contents ${4 + 2 * i} 0 R /Resources << /Font << /F1 ${FONT} >> >> >>`,
      `<< /Length ${content.length}${head} >>\nstream\n${content}\nendstream`,
    ]),
    `<< /Title (${title}) >>`,
  ]
  let text = '%PDF-1.4\n'
  const offsets = bodies.map((body, i) => {
    const at = text.length
    text += `${i + 1} 0 obj\n${body}\nendobj\n`
    return at
  })
  const table = offsets.map((at) => `${`${at}`.padStart(10, '0')} 00000 n \n`).join('')
  const trailer = `<< /Size ${bodies.length + 1} /Root 1 0 R /Info ${bodies.length} 0 R >>`
  const end = `xref\n0 ${bodies.length + 1}\n0000000000 65535 f \n${table}trailer\n${trailer}\nstartxref\n${text.length}\n%%EOF\n`
  return Buffer.from(text + end, 'latin1')
}

const FONT = '<< /Type /Font /Subtype /Type1 /BaseFont /Helvetica >>'

import type { WorkBook } from '@e965/xlsx'
import type { ReadableText } from './reading.ts'
import { showTable, type Table } from './table.ts'
import { repack } from './zip.ts'

/** The sheets of a workbook, as Excel of any age writes it, one after the other. Throws for what is none. */
export async function sheetsToText(bytes: Uint8Array): Promise<ReadableText> {
  const excel = await import('@e965/xlsx')
  excel.set_cptable(await import('@e965/xlsx/dist/cpexcel.full.mjs'))
  const isZip = bytes[0] === 0x50 && bytes[1] === 0x4b
  const plain = isZip ? repack(bytes, ({ name }) => /\.(?:xml|rels|bin)$/i.test(name)) : bytes
  const book = excel.read(plain, { dense: true, cellDates: true, cellFormula: false, cellHTML: false, UTC: true })
  const sheets = book.SheetNames.map((name) => tableOf(excel, book, name))
  return { text: sheets.map(showTable).join('\n\n') }
}

function tableOf({ utils }: typeof import('@e965/xlsx'), { Sheets }: WorkBook, name: string): Table {
  const sheet = Sheets[name]
  const rows =
    sheet === undefined ? [] : utils.sheet_to_json<unknown[]>(sheet, { header: 1, UTC: true, blankrows: false })
  return { name: `Sheet "${name}"`, rows: rows.map((row) => Array.from(row, cellText)) }
}

function cellText(value: unknown): string {
  if (!(value instanceof Date)) return value === undefined || value === null ? '' : String(value)
  const text = Number.isNaN(value.getTime()) ? '' : value.toISOString()
  return text.endsWith('T00:00:00.000Z') ? text.slice(0, 10) : text.replace(/\.000Z$/, '').replace('T', ' ')
}

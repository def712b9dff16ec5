import papa from 'papaparse'
import type { ReadableText } from './reading.ts'
import { showTable, TABLE_ROOM } from './table.ts'

/** A small table as it stands there; of a larger one what is in its columns, with samples. The separator is found out. */
export function csvToText(text: string): ReadableText {
  if (text.length <= TABLE_ROOM) return { text }
  const { data } = papa.parse<string[]>(text, { skipEmptyLines: true })
  return { text: showTable({ name: 'Table', rows: data }) }
}

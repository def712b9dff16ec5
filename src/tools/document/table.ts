import { oneLine } from '../../core/clip.ts'
import { describeColumn } from './column.ts'

/** A table as it was read. The first row names the columns. */
export interface Table {
  readonly name: string
  readonly rows: readonly (readonly string[])[]
}

/** Characters up to which a table is shown whole. */
export const TABLE_ROOM = 12_000
const MOST_COLUMNS = 100
const FIRST_ROWS = 5
const LAST_ROWS = 2
const SAMPLE_CELL = 80

/** The whole table, or where that is too long: what each column holds, the first rows and the last. */
export function showTable({ name, rows }: Table): string {
  const [header = [], ...data] = rows
  if (data.length === 0 && header.length === 0) return `## ${name}: empty`
  const size = `## ${name}: ${data.length} rows, ${header.length} columns`
  const length = rows.reduce((sum, row) => sum + row.reduce((inRow, cell) => inRow + cell.length + 3, 0), 0)
  if (length <= TABLE_ROOM) return `${size}\n\n${markdownTable(rows)}`
  return [`${size}; too long to be shown whole`, schemaOf(header, data), samplesOf(header, data)].join('\n\n')
}

function schemaOf(header: readonly string[], data: readonly (readonly string[])[]): string {
  const width = data.reduce((most, row) => Math.max(most, row.length), header.length)
  const columns = Array.from({ length: Math.min(width, MOST_COLUMNS) }, (_, at) => {
    const name = oneLine(header[at] ?? '', SAMPLE_CELL) || `(column ${at + 1})`
    return `- ${name}: ${describeColumn(data.map((row) => row[at] ?? ''))}`
  })
  const more = width > MOST_COLUMNS ? [`- and ${width - MOST_COLUMNS} more columns`] : []
  return ['Columns:', ...columns, ...more].join('\n')
}

function samplesOf(header: readonly string[], data: readonly (readonly string[])[]): string {
  const shown = [header, ...data.slice(0, FIRST_ROWS), ...data.slice(Math.max(FIRST_ROWS, data.length - LAST_ROWS))]
  const cut = shown.map((row) => row.slice(0, MOST_COLUMNS).map((cell) => oneLine(cell, SAMPLE_CELL)))
  return `The first ${FIRST_ROWS} rows and the last ${LAST_ROWS}:\n\n${markdownTable(cut)}`
}

/** Rows of Markdown; the first is the header. */
export function markdownTable(rows: readonly (readonly string[])[]): string {
  const width = rows.reduce((most, row) => Math.max(most, row.length), 0)
  const line = (row: readonly string[]) =>
    `| ${Array.from({ length: width }, (_, at) => inCell(row[at])).join(' | ')} |`
  const [header = [], ...data] = rows
  return [line(header), `|${' --- |'.repeat(width)}`, ...data.map(line)].join('\n')
}

const inCell = (text = ''): string => text.trim().replaceAll(/\s+/g, ' ').replaceAll('|', '\\|')

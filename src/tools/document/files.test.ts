import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utils, write } from '@e965/xlsx'
import { docxOf, pptxOf, slideTable, slideText, wordParagraph, wordTable, zipOf } from '../../../test/support/office.ts'
import { pdfOf } from '../../../test/support/pdf.ts'
import { readDocument } from './document.ts'

const never = new AbortController().signal
const read = async (name: string, bytes: Uint8Array | string) =>
  (await readDocument({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }, never)).text

const SALES = [
  ['id', 'city', 'amount', 'day'],
  ['1', 'Oslo', '3.5', '2026-01-02'],
  ['2', 'Rome | west', '4', '2026-01-03'],
]

test('a Word document keeps its headings, lists and tables, all of it', async () => {
  const body = [
    wordParagraph('The river', 'Heading1'),
    wordParagraph('It is 40 miles long &amp; wide.'),
    wordTable([
      ['Town', 'Size'],
      ['Alma', '12'],
    ]),
    wordParagraph('The end.'),
  ]
  assert.equal(
    await read('a.DOCX', docxOf(body.join(''))),
    '# The river\n\nIt is 40 miles long & wide.\n\n| Town | Size |\n| --- | --- |\n| Alma | 12  |\n\nThe end.',
  )
})

test('slides are read in their order, with tables and notes', async () => {
  const slides = [slideText('First'), slideText('Second') + slideTable(SALES.slice(0, 2))]
  assert.equal(
    await read('a.pptx', pptxOf(slides, 'Say hello.')),
    '[slide 1 of 2]\nFirst\nNotes:\nSay hello.\n\n[slide 2 of 2]\nSecond\n| id | city | amount | day |\n| --- | --- | --- | --- |\n| 1 | Oslo | 3.5 | 2026-01-02 |',
  )
})

function workbook(type: 'xlsx' | 'biff8', rows: readonly (readonly unknown[])[]): Uint8Array {
  const book = utils.book_new()
  utils.book_append_sheet(book, utils.aoa_to_sheet(rows as unknown[][], { UTC: true }), 'Sales')
  utils.book_append_sheet(book, utils.aoa_to_sheet([['заметка'], ['江']]), 'Заметки')
  return new Uint8Array(write(book, { bookType: type, type: 'array' }) as ArrayBuffer)
}

for (const [name, type] of [
  ['a.xlsx', 'xlsx'],
  ['a.xls', 'biff8'],
] as const)
  test(`every sheet of an ${name.slice(2)} file is read, numbers and dates as they are`, async () => {
    const rows = [
      SALES[0] ?? [],
      [1, 'Oslo', 3.5, new Date('2026-01-02')],
      [2, 'Rome | west', 4, new Date('2026-01-03')],
    ]
    assert.equal(
      await read(name, workbook(type, rows)),
      '## Sheet "Sales": 2 rows, 4 columns\n\n| id | city | amount | day |\n| --- | --- | --- | --- |\n| 1 | Oslo | 3.5 | 2026-01-02 |\n| 2 | Rome \\| west | 4 | 2026-01-03 |\n\n## Sheet "Заметки": 1 rows, 1 columns\n\n| заметка |\n| --- |\n| 江 |',
    )
  })

const LARGE = [SALES[0] ?? [], ...Array.from({ length: 3_000 }, (_, i) => largeRow(i))]
function largeRow(i: number): string[] {
  const day = `2026-01-${String((i % 28) + 1).padStart(2, '0')}`
  return [`${i + 1}`, i === 7 ? '' : (['Oslo', 'Rome', 'Lima'][i % 3] ?? ''), `${i / 2}`, day]
}
const objects = LARGE.slice(1).map((row) => Object.fromEntries((SALES[0] ?? []).map((field, at) => [field, row[at]])))

// The original drops the schema of a large table, so that nothing of it is left.
for (const [name, bytes] of [
  ['a.csv', LARGE.map((row) => row.join(',')).join('\n')],
  ['a.csv', LARGE.map((row) => row.map((cell) => `"${cell}"`).join(';')).join('\r\n')],
  ['a.tsv', `\ufeff${LARGE.map((row) => row.join('\t')).join('\n')}`],
  ['a.json', JSON.stringify(objects, null, 2)],
  ['a.jsonl', objects.map((object) => JSON.stringify(object)).join('\n')],
  ['a.xlsx', workbook('xlsx', LARGE)],
] as const)
  test(`a large table (${name}) is shown by its columns and samples: ${String(bytes).slice(0, 12).replaceAll(/\W/g, ' ')}`, async () => {
    const text = await read(name, bytes)
    assert.match(text, /^## .*: 3000 rows, 4 columns; too long to be shown whole\n/)
    assert.match(text, /^- id: whole numbers from 1 to 3000$/m)
    assert.match(text, /^- city: texts: "Oslo", "Rome", "Lima"; 1 empty$/m)
    assert.match(text, /^- amount: numbers from 0 to 1499\.5$/m)
    assert.match(text, /^- day: dates from 2026-01-01 to 2026-01-28$/m)
    assert.match(text, /^\| 1 \| Oslo \| 0 \| 2026-01-01 \|$/m)
    assert.match(text, /^\| 3000 \| .* \| 1499\.5 \| .* \|$/m)
    assert.ok(text.length < 2_000)
  })

test('small tables, JSON, XML and texts are shown as they are', async () => {
  for (const name of ['a.csv', 'a.tsv', 'a.json', 'a.jsonl', 'a.xml', 'a.txt', 'a.md', 'noname'])
    assert.equal(await read(name, '{"a":1}\n2,"x"'), '{"a":1}\n2,"x"')
  assert.equal(await read('a.html', '<title>T</title><p>Hello <b>you</b>.</p>'), 'Hello **you**.')
  assert.equal(await read('a.pdf', pdfOf(['One line'])), '[page 1 of 1]\nOne line')
})

test('an archive is listed, and what can be read in it is shown under its name', async () => {
  const archive = zipOf({
    'docs/': '',
    'docs/a.txt': 'Привет',
    'b.csv': 'x,y\n1,2',
    'c.docx': docxOf(wordParagraph('Inside.')),
    'd.png': Buffer.from('\x89PNG\r\n', 'latin1'),
    'inner.zip': zipOf({ 'e.txt': 'deep' }),
    'broken.pdf': '%PDF-1.4 and nothing',
  })
  const text = await read('a.zip', archive)
  assert.match(text, /^Archive with 7 entries:\n/)
  assert.match(text, /^- d\.png \(\d+ bytes\): not read, it is a PNG picture$/m)
  assert.match(text, /^- inner\.zip \(\d+ bytes\): not read, it is an archive itself$/m)
  assert.match(text, /^- broken\.pdf \(\d+ bytes\): not read, /m)
  assert.match(text, /\n\n## docs\/a\.txt\n\nПривет\n\n## b\.csv\n\nx,y\n1,2\n\n## c\.docx\n\nInside\.$/)
  assert.doesNotMatch(text, /deep/)
})

test('pictures and unknown kinds are told by their name', async () => {
  await assert.rejects(read('a.txt', Buffer.from('\x89PNG\r\n\0', 'latin1')), {
    kind: 'unsupported',
    message: 'It is a PNG picture, 7 bytes; you are shown text only, so nothing is known of what is on it.',
  })
  await assert.rejects(read('a.mp3', Buffer.from('ID3\0\0')), { kind: 'unsupported', message: /unknown kind/ })
})

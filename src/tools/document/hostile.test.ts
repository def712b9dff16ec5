import assert from 'node:assert/strict'
import { test } from 'node:test'
import { docxOf, pptxOf, slideText, wordParagraph, zipOf } from '../../../test/support/office.ts'
import { packedPdf } from '../../../test/support/pdf.ts'
import { readDocument } from './document.ts'

const never = new AbortController().signal
const read = async (name: string, bytes: Uint8Array | string) =>
  (await readDocument({ name, bytes: typeof bytes === 'string' ? Buffer.from(bytes) : bytes }, never)).text

const MEGABYTE = 1 << 20
const zeros = new Uint8Array(65 * MEGABYTE)
const bomb = zipOf({ 'xl/worksheets/sheet1.xml': zeros })

for (const name of ['a.zip', 'a.xlsx', 'a.docx'])
  test(`a bomb (${name}) ends at a named limit before anything of it is unpacked`, async () => {
    assert.ok(bomb.length < MEGABYTE / 2)
    await assert.rejects(read(name, bomb), { kind: 'limit', message: /limit "expanded"/ })
  })

test('an archive that understates what is in it gives no more than it states', async () => {
  const lie = Buffer.from(zipOf({ 'a.txt': 'x'.repeat(100_000) }))
  for (const at of [lie.indexOf('PK\x03\x04', 0, 'latin1') + 22, lie.indexOf('PK\x01\x02', 0, 'latin1') + 24])
    lie.writeUInt32LE(5, at)
  assert.match(await read('a.zip', lie), /## a\.txt\n\nx{5}$/)
})

test('entries beyond a number end at a named limit', async () => {
  const many = zipOf(Object.fromEntries(Array.from({ length: 10_001 }, (_, i) => [`${i}`, ''])), 0)
  await assert.rejects(read('a.zip', many), { kind: 'limit', message: /limit "entries"/ })
})

test('a picture that never says how large it is is told at once, by its bytes', async () => {
  const endless = Buffer.concat([Buffer.from('\xff\xd8\xff\xe0', 'latin1'), zeros.subarray(0, 60 * MEGABYTE)])
  const message = `It is a JPEG picture, ${endless.length} bytes; you are shown text only, so nothing is known of what is on it.`
  await assert.rejects(read('a.jpg', endless), { kind: 'unsupported', message })
})

test('names that lead out of an archive are told and not read', async () => {
  for (const name of ['../../etc/passwd', '/etc/passwd', 'a/../../b.txt', 'C:\\b.txt', '..\\b.txt'])
    assert.match(
      await read('a.zip', zipOf({ [name]: 'secret', 'c.txt': 'fine' })),
      /leads out[\s\S]*## c\.txt\n\nfine$/,
    )
  assert.doesNotMatch(await read('a.zip', zipOf({ '../b.txt': 'secret', 'c.txt': 'fine' })), /secret/)
})

test('an archive that is locked or broken is told as that', async () => {
  const locked = Buffer.from(zipOf({ 'a.txt': 'x' }))
  locked.writeUInt16LE(1, 6)
  await assert.rejects(read('a.zip', locked), { kind: 'broken', message: /locked with a password/ })
  for (const name of ['a.zip', 'a.docx', 'a.pptx'])
    await assert.rejects(read(name, 'PK\x03\x04 and nothing'), { kind: 'broken' })
})

test('a sheet that says it has every cell there is takes no more than it holds', async () => {
  const claim =
    '<dimension ref="A1:XFD1048576"/><sheetData><row r="1048576"><c r="XFD1048576"><v>1</v></c></row></sheetData>'
  const text = await read('a.xlsx', workbookWith(claim))
  assert.match(text, /and 16284 more columns/)
  assert.ok(text.length < 10_000)
})

const LAUGHS = `<!DOCTYPE l [<!ENTITY l0 "lol">${Array.from({ length: 9 }, (_, i) => `<!ENTITY l${i + 1} "${`&l${i};`.repeat(10)}">`).join('')}]>`

test('a billion laughs is as short as it is written', async () => {
  const outcome = async (name: string, bytes: Uint8Array | string) => {
    try {
      return await read(name, bytes)
    } catch (error) {
      return String(error)
    }
  }
  const made = [
    await outcome('a.xml', `${LAUGHS}<a>&l9;</a>`),
    await outcome('a.docx', docxOf(wordParagraph('&l9;'), LAUGHS)),
    await outcome('a.pptx', pptxOf([slideText('&l9;'), slideText('b')], '&l9;')),
    await outcome('a.html', `${LAUGHS}<p>&l9;</p>`),
  ]
  for (const text of made) assert.ok(text.length < 2_000 && !/lollol/.test(text), text.slice(0, 200))
})

test('what claims to be a workbook, a presentation or a document and is none ends in a sentence', async () => {
  await assert.rejects(read('a.pptx', zipOf({ 'a.txt': 'x' })), { kind: 'broken', message: /no presentation/ })
  await assert.rejects(read('a.docx', zipOf({ 'a.txt': 'x' })), { kind: 'broken' })
  await assert.rejects(read('a.xlsx', zipOf({ 'a.txt': 'x' })), { kind: 'broken' })
})

test('a PDF that grows outside of the heap of its reader ends at a named limit', async () => {
  const bytes = packedPdf(zeros)
  assert.ok(bytes.length < MEGABYTE)
  await assert.rejects(readDocument({ name: 'a.pdf', bytes }, never, { memory: 24 }), {
    kind: 'limit',
    message: /more than 24 MB of memory/,
  })
})

test('JSON nested without end is text', async () => {
  const deep = '['.repeat(100_000)
  assert.equal(await read('a.json', deep), deep)
})

const XLSX = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const workbookWith = (sheet: string): Uint8Array =>
  zipOf({
    '[Content_Types].xml':
      '<Types xmlns="http://schemas.openxmlformats.org/package/2006/content-types"><Override PartName="/xl/workbook.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.sheet.main+xml"/><Override PartName="/xl/worksheets/sheet1.xml" ContentType="application/vnd.openxmlformats-officedocument.spreadsheetml.worksheet+xml"/></Types>',
    'xl/workbook.xml': `<workbook xmlns="${XLSX}" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><sheets><sheet name="S" sheetId="1" r:id="rId1"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels':
      '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="rId1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/worksheet" Target="worksheets/sheet1.xml"/></Relationships>',
    'xl/worksheets/sheet1.xml': `<worksheet xmlns="${XLSX}">${sheet}</worksheet>`,
  })

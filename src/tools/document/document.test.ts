import assert from 'node:assert/strict'
import { test } from 'node:test'
import { pdfOf } from '../../../test/support/pdf.ts'
import { readDocument } from './document.ts'

const never = new AbortController().signal
const read = (bytes: string | Uint8Array, contentType?: string, url = 'https://example.org/a/b') =>
  readDocument(
    { bytes: Buffer.from(bytes as string), url, ...(contentType === undefined ? {} : { contentType }) },
    never,
  )
const page = (body: string, head = '') => `<!doctype html><html><head>${head}</head><body>${body}</body></html>`

const PARAGRAPH =
  '<p>The river rises in the hills, turns west, and reaches the sea, after forty miles, at the old town.</p>'
const SITE = page(
  `<nav><ul><li><a href="/one">Menu one</a></li><li><a href="/two">Menu two</a></li></ul></nav>
   <article><h1>The river</h1>${PARAGRAPH.repeat(8)}<p>Its <a href="../mouth?x=1">mouth</a> is wide.</p></article>
   <footer>Imprint</footer>`,
  '<title>The river &amp; its towns</title>',
)

test('of a page the article is taken, as Markdown, with its title and whole links', async () => {
  const { title, text } = await read(SITE, 'text/html; charset=utf-8')
  assert.equal(title, 'The river & its towns')
  assert.match(text, /^The river rises in the hills/m)
  assert.match(text, /Its \[mouth\]\(https:\/\/example\.org\/mouth\?x=1\) is wide\./)
  assert.doesNotMatch(text, /Menu one|Imprint/)
})

test('a page that is a list or a table, and no article, is read whole', async () => {
  const rows = Array.from(
    { length: 30 },
    (_, i) => `<tr><td>Town ${i}</td><td><p>${i * 100}</p><p>people</p></td></tr>`,
  )
  const { text } = await read(page(`<table><tr><th>Town</th><th>Size</th></tr>${rows.join('')}</table>`), 'text/html')
  assert.match(text, /^\| Town +\| Size +\|$/m)
  assert.match(text, /^\| Town 29 +\| 2900 +people +\|$/m)
})

test('what no reader would see is not read: scripts, hidden elements, addresses that are code', async () => {
  const hidden = ['<script>bad()</script>', '<p hidden>bad</p>', '<p style="color:red; DISPLAY : none">bad</p>']
  const more = [
    '<template>bad</template>',
    '<a href="javascript:bad()">press</a>',
    '<!-- bad -->',
    '<style>bad{}</style>',
  ]
  const { text } = await read(page(`<p>Good.</p>${[...hidden, ...more].join('')}`), 'text/html')
  assert.equal(text, 'Good.\n\npress')
})

test('a page without html and body elements, or with its own word for where it lies, is a page', async () => {
  const { title, text } = await read(
    '<title>T</title><base href="https://other.example/x/"><p>See <a href="y">this</a>',
    'text/html',
  )
  assert.deepEqual({ title, text }, { title: 'T', text: 'See [this](https://other.example/x/y)' })
})

test('text is decoded by its mark, by the header, by the page, else as UTF-8', async () => {
  const windows = Buffer.from('<meta charset="windows-1251"><p>\xcf\xf0\xe8\xe2\xe5\xf2</p>', 'latin1')
  assert.equal((await read(windows, 'text/html')).text, 'Привет')
  assert.equal((await read(Buffer.from('\xc4pfel', 'latin1'), 'text/plain; charset=ISO-8859-1')).text, 'Äpfel')
  assert.equal((await read(Buffer.from('\ufeffa é', 'utf16le'), 'text/plain')).text, 'a é')
  assert.equal((await read('\ufeffé', 'text/plain; charset=nonsense')).text, 'é')
})

test('plain text, JSON and XML are read as they are', async () => {
  for (const type of ['text/plain', 'application/json', 'application/atom+xml', 'text/csv', 'application/octet-stream'])
    assert.equal((await read('a,b\n1,2', type)).text, 'a,b\n1,2')
})

test('a PDF is read page by page, whatever the server calls it', async () => {
  for (const type of ['application/pdf', 'application/octet-stream', 'text/html']) {
    const { title, text } = await read(pdfOf(['The first page', 'The second page']), type)
    assert.equal(title, 'A title')
    assert.equal(text, '[page 1 of 2]\nThe first page\n\n[page 2 of 2]\nThe second page')
  }
})

test('what cannot be read is told by its kind', async () => {
  await assert.rejects(read('\x89PNG\r\n\0', 'image/png'), { kind: 'unsupported', message: /image\/png/ })
  await assert.rejects(read('PK\x03\x04\0\0', 'application/octet-stream'), { kind: 'unsupported' })
  await assert.rejects(read('%PDF-1.4 and then nothing', 'application/pdf'), { kind: 'broken' })
  await assert.rejects(read(pdfOf(['', '']), 'application/pdf'), { kind: 'broken', message: /2 pages and no text/ })
  await assert.rejects(read(page('<script src="app.js"></script>'), 'text/html'), {
    message: /no text; perhaps it is made by scripts/,
  })
})

test('a page made to hold up its reader ends at a named limit, and the next is read as before', async () => {
  const deep = { bytes: Buffer.from('<div>'.repeat(100_000)), contentType: 'text/html' }
  await assert.rejects(readDocument(deep, never, { time: 60 }), { kind: 'limit', message: /within 0\.06 s/ })
  await assert.rejects(readDocument(deep, AbortSignal.timeout(30)), { name: 'TimeoutError' })
  assert.equal((await read('<p>Next.</p>', 'text/html')).text, 'Next.')
})

test('a document that fills the memory ends at a named limit', async () => {
  const large = { bytes: Buffer.from('<p>a</p>'.repeat(200_000)), contentType: 'text/html' }
  await assert.rejects(readDocument(large, never, { memory: 24 }), {
    kind: 'limit',
    message: /more than 24 MB of memory/,
  })
})

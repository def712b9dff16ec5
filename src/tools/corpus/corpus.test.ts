import assert from 'node:assert/strict'
import { mkdir, mkdtemp, realpath, rm, stat, symlink, truncate, utimes, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { docxOf, wordParagraph } from '../../../test/support/office.ts'
import type { JsonObject } from '../../core/json.ts'
import type { Tool } from '../tool.ts'
import { search } from '../web/search.ts'
import { visit } from '../web/visit.ts'
import { type Corpus, openCorpus } from './corpus.ts'
import { corpusPages, corpusSearch } from './corpus-web.ts'
import { openTextIndex } from './text-index.ts'

const never = new AbortController().signal

async function folderWith(context: TestContext, files: Readonly<Record<string, string | Uint8Array>>): Promise<string> {
  const folder = await realpath(await mkdtemp(join(tmpdir(), 'tao-corpus-')))
  context.after(() => rm(folder, { recursive: true }))
  for (const [path, content] of Object.entries(files)) {
    await mkdir(dirname(join(folder, path)), { recursive: true })
    await writeFile(join(folder, path), content)
  }
  return folder
}

const RIVERS = {
  'rivers/elm.md': '# The Elm\n\nThe Elm is 40 miles long.',
  'rivers/ash.txt': 'The Ash is a short river. Its mouth is at Alma.',
  'русский/Ока (река).md': 'Ока — река длиной 1500 км.',
  '长江.txt': '长江是中国最长的河流，全长约六千三百公里。',
  'towns.csv': 'town,river\nAlma,Ash\nBerg,Elm',
  'report.docx': docxOf(wordParagraph('The ferry of Berg crosses the Elm twice a day.')),
}

async function call(tool: Tool, args: JsonObject) {
  const read = await tool.validate(args)
  assert.ok(read.ok, JSON.stringify(read))
  return await tool.execute(read.input, { call: 'c', client: 'local', idempotencyKey: 'k', signal: never })
}
const addresses = async (corpus: Corpus, query: string) =>
  (await corpus.search(query, never)).map(({ address }) => address)

test('documents of several kinds and languages are found, best first, with an address that visit reads', async (context) => {
  const corpus = openCorpus({ folder: await folderWith(context, RIVERS) })
  const found = await call(search(corpusSearch(corpus)), { query: ['ferry of Berg', '长江有多长', 'длина реки'] })
  const [ferry = '', yangtze = '', oka = ''] = found.text.split('\n=======\n')
  assert.match(ferry, /found \d results \(local documents\)/)
  assert.match(ferry, /1\. \[report\]\(corpus:\/\/\/report\.docx\)\nThe ferry of Berg crosses/)
  assert.match(yangtze, /1\. \[长江\]\(corpus:\/\/\/长江\.txt\)\n长江是中国/)
  assert.match(oka, /\(corpus:\/\/\/русский\/Ока%20%28река%29\.md\)/)
  const visited = await call(visit({ pages: corpusPages(corpus) }), {
    url: ['corpus:///русский/Ока%20%28река%29.md', `corpus:///${encodeURIComponent('长江.txt')}`, 'corpus:///none.md'],
    goal: 'длина',
  })
  assert.match(
    visited.text,
    /1500 км\.\n=======\n[\s\S]*六千三百公里。\n=======\n[\s\S]*There is no document at corpus:\/\/\/none\.md/,
  )
})

test('a document is called by its own title, its first heading, or its name', async (context) => {
  const files = { 'a.html': '<title>The page</title><p>x</p>', 'b.md': '# The heading\n\nx', 'the_third-one.txt': 'x' }
  const corpus = openCorpus({ folder: await folderWith(context, files) })
  const titles = (await corpus.search('x', never)).map(({ title }) => title)
  assert.deepEqual(titles.sort(), ['The heading', 'The page', 'the third one'])
})

test('with a corpus nothing is sent: both tools only read, and no other address is read', async (context) => {
  const corpus = openCorpus({ folder: await folderWith(context, RIVERS) })
  const pages = visit({ pages: corpusPages(corpus) })
  assert.deepEqual([search(corpusSearch(corpus)).effects, pages.effects], [['read'], ['read']])
  for (const url of ['https://example.org/', 'file:///etc/passwd', 'corpus:///../../etc/passwd', 'corpus:///%E0%A4%A'])
    assert.equal((await call(pages, { url, goal: 'x' })).ok, false, url)
})

test('rows of a large table are found, not only its samples', async (context) => {
  const rows = Array.from({ length: 3_000 }, (_, i) => `town ${i},${i === 1_500 ? 'zeppelin' : 'none'}`)
  const corpus = openCorpus({ folder: await folderWith(context, { 'a.csv': rows.join('\n') }) })
  assert.deepEqual(await addresses(corpus, 'zeppelin'), ['corpus:///a.csv'])
})

test('links and hidden files are left out; what cannot be read is told when it is visited', async (context) => {
  const folder = await folderWith(context, {
    '.hidden.md': 'elm',
    'a.png': Buffer.from('\x89PNG\r\n', 'latin1'),
    'big.txt': '',
  })
  await symlink('/etc/passwd', join(folder, 'link.txt'))
  await symlink('/etc', join(folder, 'etc'))
  await truncate(join(folder, 'big.txt'), 2 ** 31)
  const corpus = openCorpus({ folder })
  assert.deepEqual(await addresses(corpus, 'elm root'), [])
  await assert.rejects(corpus.read('corpus:///link.txt', never), /no document/)
  await assert.rejects(corpus.read('corpus:///a.png', never), /a PNG picture/)
  await assert.rejects(corpus.read('corpus:///big.txt', never), /limit "bytes"/)
})

test('an index is kept: only new contents are read, what is gone is not found, a moved file has its new address', async (context) => {
  const folder = await folderWith(context, {
    'docs/a.txt': 'about elms',
    'docs/b.txt': 'about ashes',
    'docs/c.txt': 'about oaks',
  })
  const options = { folder: join(folder, 'docs'), indexFile: join(folder, 'index.sqlite') }
  const first = openCorpus(options)
  assert.deepEqual(await addresses(first, 'ashes'), ['corpus:///b.txt'])
  await writeFile(join(folder, 'docs/a.txt'), 'about birches')
  await rm(join(folder, 'docs/b.txt'))
  await writeFile(join(folder, 'docs/d.txt'), 'about oaks')
  await rm(join(folder, 'docs/c.txt'))
  const second = openCorpus(options)
  assert.deepEqual(await addresses(second, 'birches'), ['corpus:///a.txt'])
  assert.deepEqual(await addresses(second, 'ashes elms'), [])
  assert.deepEqual(await addresses(second, 'oaks'), ['corpus:///d.txt'])
})

test('a content that is in the index is not read again', async (context) => {
  const folder = await folderWith(context, { 'docs/a.txt': 'about elms' })
  const indexFile = join(folder, 'index.sqlite')
  const options = { folder: join(folder, 'docs'), indexFile }
  assert.equal((await openCorpus(options).read('corpus:///a.txt', never)).text, 'about elms')
  const index = openTextIndex(indexFile)
  const [key = ''] = index.search('elms', 1)
  index.keepOnly([])
  index.add(new Map([[key, { title: 'kept', text: 'as it was read before' }]]))
  assert.equal((await openCorpus(options).read('corpus:///a.txt', never)).text, 'as it was read before')
})

test('a file whose size and times are as they were is not looked into; a change that hides its time is seen', async (context) => {
  const folder = await folderWith(context, { 'docs/a.txt': 'about elms' })
  const path = join(folder, 'docs/a.txt')
  const long = new Date(Date.now() - 3_600_000)
  await utimes(path, long, long)
  const options = { folder: join(folder, 'docs'), indexFile: join(folder, 'index.sqlite') }
  assert.deepEqual(await addresses(openCorpus(options), 'elms'), ['corpus:///a.txt'])
  const index = openTextIndex(options.indexFile)
  const { size, mtimeNs, ctimeNs } = await stat(path, { bigint: true })
  const stamp = `${size} ${mtimeNs} ${ctimeNs}`
  assert.ok(index.keyOf('a.txt', stamp) !== undefined)
  index.add(new Map([['another', { title: '', text: 'what stands in the index' }]]))
  index.keepOnly([{ path: 'a.txt', key: 'another', stamp }])
  assert.equal((await openCorpus(options).read('corpus:///a.txt', never)).text, 'what stands in the index')
  await writeFile(path, 'about oaks')
  await utimes(path, long, long)
  assert.equal((await openCorpus(options).read('corpus:///a.txt', never)).text, 'about oaks')
})

test('a file that changed a moment ago is looked into again: it may change once more within one tick of the clock', async (context) => {
  const folder = await folderWith(context, { 'docs/a.txt': 'about elms' })
  const options = { folder: join(folder, 'docs'), indexFile: join(folder, 'index.sqlite') }
  assert.deepEqual(await addresses(openCorpus(options), 'elms'), ['corpus:///a.txt'])
  const { size, mtimeNs, ctimeNs } = await stat(join(folder, 'docs/a.txt'), { bigint: true })
  assert.equal(openTextIndex(options.indexFile).keyOf('a.txt', `${size} ${mtimeNs} ${ctimeNs}`), undefined)
})

test('several may index the same folder at once', async (context) => {
  const files = Object.fromEntries(Array.from({ length: 20 }, (_, i) => [`docs/${i}.txt`, `document number ${i}`]))
  const folder = await folderWith(context, files)
  const options = { folder: join(folder, 'docs'), indexFile: join(folder, 'index.sqlite') }
  const found = await Promise.all(Array.from({ length: 8 }, (_, i) => addresses(openCorpus(options), `${i}`)))
  assert.deepEqual(
    found,
    Array.from({ length: 8 }, (_, i) => [`corpus:///${i}.txt`]),
  )
})

test('a search that is cancelled while the folder is looked through spoils no other', async (context) => {
  const corpus = openCorpus({ folder: await folderWith(context, RIVERS) })
  const stop = new AbortController()
  const cancelled = corpus.search('elm', stop.signal)
  const other = corpus.search('elm', never)
  stop.abort(new Error('stopped'))
  await assert.rejects(cancelled, /stopped/)
  assert.ok((await other).length > 0)
})

test('a folder that is not there is refused', () => {
  assert.throws(() => openCorpus({ folder: '/nowhere' }), { code: 'corpus', message: /no folder \/nowhere/ })
})

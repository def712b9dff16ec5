import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import type { SearchAnswer, SearchRequest } from './request.ts'
import { search } from './search.ts'

const newFolder = () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-search-'))
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) }
}

function searchIn(files: Record<string, string>, request: Partial<SearchRequest>): SearchAnswer {
  using folder = newFolder()
  for (const [path, content] of Object.entries(files)) {
    mkdirSync(dirname(join(folder.path, path)), { recursive: true })
    if (content.startsWith('-> ')) symlinkSync(content.slice(3), join(folder.path, path))
    else writeFileSync(join(folder.path, path), content)
  }
  const defaults = { path: '.', pattern: 'x', regex: false, ignoreCase: false, maxMatches: 100, timeLimit: 5000 }
  return search(folder.path, { ...defaults, ...request })
}
const found = (answer: SearchAnswer) => answer.matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)

test('plain text is taken literally, line by line, nearest folders first', () => {
  const files = { 'b.txt': 'a.c\r\nabc\r\n', 'a/z.txt': 'no\na.c' }
  assert.deepEqual(found(searchIn(files, { pattern: 'a.c' })), ['b.txt:1: a.c', 'a/z.txt:2: a.c'])
  assert.deepEqual(found(searchIn(files, { pattern: 'A.C', ignoreCase: true })).length, 2)
})

test('a regular expression is one when it is said to be', () => {
  const files = { 'b.txt': 'a.c\nabc\nABC\n' }
  assert.equal(searchIn(files, { pattern: '^a.c$', regex: true }).matches.length, 2)
  assert.equal(searchIn(files, { pattern: '^a.c$', regex: true, ignoreCase: true }).matches.length, 3)
})

test('paths and name patterns narrow the search', () => {
  const files = { 'a.py': 'x', 'a.ts': 'x', 'src/b.ts': 'x', 'src/deep/c.ts': 'x' }
  const paths = (request: Partial<SearchRequest>) => searchIn(files, request).matches.map(({ path }) => path)
  assert.deepEqual(paths({ files: '*.ts' }), ['a.ts', 'src/b.ts', 'src/deep/c.ts'])
  assert.deepEqual(paths({ files: 'src/*.ts' }), ['src/b.ts'])
  assert.deepEqual(paths({ files: 'src/**/*.ts' }), ['src/b.ts', 'src/deep/c.ts'])
  assert.deepEqual(paths({ path: 'src/deep' }), ['src/deep/c.ts'])
  assert.deepEqual(paths({ path: 'a.py' }), ['a.py'])
})

// https://github.com/liquidos-ai/AutoAgents/pull/272
test('links are not followed, binary files and ignored folders are skipped, and all of it is said', () => {
  const answer = searchIn(
    {
      'link.rs': '-> /etc/passwd',
      bin: 'x\0x',
      '.git/config': 'x',
      'a/node_modules/m.js': 'x',
      big: 'x'.repeat(5 << 20),
      ok: 'x',
    },
    {},
  )
  assert.deepEqual(found(answer), ['ok:1: x'])
  assert.deepEqual([...answer.notes].sort(), [
    'binary files: bin',
    'files that are too large or cannot be opened: big',
    'folders not searched: .git, a/node_modules',
    'links not followed: link.rs',
  ])
})

test('too many matches are cut and said', () => {
  const answer = searchIn({ a: 'x\n'.repeat(11) }, { maxMatches: 10 })
  assert.equal(answer.matches.length, 10)
  assert.equal(answer.more, true)
  assert.equal(searchIn({ a: 'x\n'.repeat(10) }, { maxMatches: 10 }).more, false)
})

test('a long line is shown around its match', () => {
  const [line] = found(searchIn({ a: `${'-'.repeat(5000)}needle${'-'.repeat(5000)}` }, { pattern: 'needle' }))
  assert.match(line ?? '', /^a:1: …-+needle-+… \(line of 10006 characters\)$/)
  assert.ok((line?.length ?? 0) < 300)
})

test('a pattern that backtracks without end is stopped, and what was found before stays', () => {
  const started = performance.now()
  const answer = searchIn({ a: 'aaa', b: `${'a'.repeat(60)}!` }, { pattern: '^(a+)+$', regex: true, timeLimit: 300 })
  assert.equal(answer.timedOut, true)
  assert.deepEqual(found(answer), ['a:1: aaa'])
  assert.ok(performance.now() - started < 5000)
})

test('patterns that cannot be searched for are refused with a sentence', () => {
  assert.throws(() => searchIn({}, { pattern: '' }), /pattern is empty/)
  assert.throws(() => searchIn({}, { pattern: 'a\nb' }), /one line is looked at at a time/)
  assert.throws(() => searchIn({}, { pattern: '(', regex: true }), /not a regular expression of JavaScript/)
  assert.throws(() => searchIn({}, { path: 'none' }), /"none" does not exist/)
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json } from '../core/json.ts'
import { fits, hostOf } from './fit.ts'
import type { ArgumentType } from './schema.ts'

const session = { workspace: '/w/app' }

/** Of each type: values that fit, and values that do not. */
const CASES: readonly [ArgumentType, readonly Json[], readonly Json[]][] = [
  [{ text: 3 }, ['', 'abc'], ['abcd', 3, null, ['a']]],
  [{ id: 'card' }, ['card:1', 'a-b_c.d'], ['', 'a b', "1' or '1", 'x'.repeat(129), 7]],
  [{ money: 1000 }, [1, 1000], [0, -1, 1001, 1.5, '5', Number.NaN]],
  [{ number: [1, 200] }, [1, 1.5, 200], [0, 201, '7', Number.NaN, Number.POSITIVE_INFINITY]],
  [{ oneOf: ['r', 'rw', true] }, ['r', true], ['w', 'true', false, null]],
  [{ date: 'day' }, ['2024-02-29'], ['2023-02-29', '03.10.2026', '2024-1-1', '2024-01-01 10:00', 20240101]],
  [{ date: 'minute' }, ['2024-05-19 16:00'], ['2024-05-19', '2024-05-19 24:01', '2024-05-19T16:00']],
  [{ list: { text: 3 }, max: 2 }, [[], ['a', 'b']], [['a', 'b', 'c'], ['abcd'], 'a', [['a']]]],
  [{ list: { text: 3 }, max: 2, alone: true }, ['a', ['a', 'b']], ['abcd', ['a', 'b', 'c']]],
  [
    { url: ['a.org', 'corpus:///'] },
    ['https://b.org/', 'corpus:///a.md', 'corpus:///长江.txt'],
    ['http://a.org/', 'corpus:/a'],
  ],
  [{ url: ['a.org'] }, ['https://a.org/'], ['corpus:///a.md']],
  [{ json: 20 }, [{ a: 1 }, null, []], ['x'.repeat(20)]],
  [
    { argv: { 'git log': ['-n'] } },
    [['git', 'log', '-n', '5']],
    [[], ['git'], ['git', 'push'], ['git', 'log', '-p'], 'git log', [7]],
  ],
]

for (const [type, right, wrong] of CASES)
  test(`${JSON.stringify(type)} takes its values and no others`, () => {
    for (const value of right) assert.ok(fits(type, value, session), JSON.stringify(value))
    for (const value of wrong) assert.equal(fits(type, value, session), false, JSON.stringify(value))
  })

test('a path is inside its root by its parts, in every spelling of the names that are excepted', () => {
  const type: ArgumentType = { path: 'workspace', except: ['.git', '.env'] }
  for (const path of ['a/b.txt', './a', 'a/../b', '/w/app/x', '.gitignore', '.'])
    assert.ok(fits(type, path, session), path)
  for (const path of [
    '',
    '..',
    '../x',
    'a/../../x',
    '/w/app-evil/x',
    '/etc/passwd',
    'a\0b',
    '.git',
    'a/.git/config',
    '.GIT/config',
    '.Env',
    '.git./x',
    '.g\u200cit/x',
  ])
    assert.equal(fits(type, path, session), false, JSON.stringify(path))
  assert.equal(fits(type, '/w/app/x', {}), false, 'an absolute path in a session that has no root')
})

test('an address is https, by name, without credentials or a port', () => {
  assert.equal(hostOf('https://Example.COM./a'), 'example.com')
  const refused = [
    'http://example.com',
    'https://user@example.com',
    'https://example.com:8443',
    'https://127.0.0.1',
    'https://[::1]/',
    'https://2130706433/',
    'https://localhost/',
    'https://a.example\\@b.example',
    'https://a.example\0.b.example',
    'https://example.com/\u202e',
    'ftp://example.com',
    'example.com',
  ]
  for (const address of refused) assert.equal(hostOf(address), undefined, address)
})

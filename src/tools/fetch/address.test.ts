import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type AddressRules, isSameSite, readAddress } from './address.ts'
import { FetchError } from './fetch-error.ts'

const RULES: AddressRules = { http: false, ports: [], allowed: [] }
const read = (text: string, rules: Partial<AddressRules> = {}, from?: string): string =>
  readAddress(text, { ...RULES, ...rules }, from === undefined ? undefined : new URL(from)).href

// https://github.com/raptor7197/caamas/issues/30 and https://github.com/langchain-ai/deepagents/pull/3411
const REFUSED = [
  ...['https://127.0.0.1/', 'https://127.1/', 'https://127.0.1/', 'https://2130706433/', 'https://0x7f000001/'],
  ...['https://0x7f.1/', 'https://0177.0.0.1/', 'https://017700000001/', 'https://0/', 'https://127.0.0.1./'],
  ...['https://１２７.０.０.１/', 'https://127%2e0%2e0%2e1/', 'https://169.254.169.254/latest/', 'https://0xa9fea9fe/'],
  ...['https://8.8.8.8/', 'https://[::1]/', 'https://[::]/', 'https://[::ffff:127.0.0.1]/', 'https://[::127.0.0.1]/'],
  ...['https://[64:ff9b::7f00:1]/', 'https://[fd00:ec2::254]/', 'https://[2002:7f00:1::]/', 'https://[fe80::1]/'],
  ...['https://[2606:4700::1111]/', 'https://localhost/', 'https://localhost./', 'https://LOCALHOST/'],
  ...['https://loc%61lhost/', 'https://ｌｏｃａｌｈｏｓｔ/', 'https://printer/', 'https://metadata/', 'https://1.1.1/'],
  ...['https://user@example.org/', 'https://:pw@example.org/', 'https://example.org@127.0.0.1/'],
  ...['https://example.org:8443/', 'https://example.org:22/', 'http://example.org/'],
  ...['file:///etc/passwd', 'ftp://example.org/', 'gopher://example.org/', 'data:text/html,x', 'javascript:alert(1)'],
  ...[
    'blob:https://example.org/x',
    'view-source:https://example.org/',
    'example.org',
    '//example.org/',
    '/etc/passwd',
    '',
  ],
  ...['https://', 'https:///', 'https://exa mple.org/', `https://example.org/${'x'.repeat(5_000)}`],
]
for (const text of REFUSED)
  test(`refused before any name is looked up: ${text.slice(0, 60)}`, () => {
    assert.throws(
      () => read(text),
      (error) => error instanceof FetchError && error.kind === 'refused',
    )
  })

const READ: readonly [what: string, text: string, href: string][] = [
  ['a page', 'https://example.org/a?b=c', 'https://example.org/a?b=c'],
  ['capitals, white space around and a fragment', ' HTTPS://Example.ORG/A#part ', 'https://example.org/A'],
  ['a closing dot', 'https://example.org./', 'https://example.org/'],
  ['the usual port, said', 'https://example.org:443/', 'https://example.org/'],
  [
    'a backslash, which the parser takes for a slash',
    'https://example.org\\@127.0.0.1/',
    'https://example.org/@127.0.0.1/',
  ],
  ['a name of another script', 'https://bücher.example/', 'https://xn--bcher-kva.example/'],
]
for (const [what, text, href] of READ) test(`read: ${what}`, () => assert.equal(read(text), href))

test('plain http and other ports only by a setting', () => {
  assert.equal(read('http://example.org/', { http: true }), 'http://example.org/')
  assert.equal(read('https://example.org:8443/', { ports: [8443] }), 'https://example.org:8443/')
  assert.throws(() => read('http://example.org:81/', { http: true }), /port 81 is not allowed/)
  assert.throws(() => read('http://example.org/'), /plain http is not allowed; try it with https:/)
})

test('an origin that the operator vouches for is that origin only', () => {
  const rules = { allowed: ['http://127.0.0.1:8080'] }
  assert.equal(read('http://127.1:8080/a', rules), 'http://127.0.0.1:8080/a')
  for (const other of ['http://127.0.0.1:8081/', 'https://127.0.0.1:8080/', 'http://127.0.0.2:8080/'])
    assert.throws(() => read(other, rules), FetchError)
  assert.throws(() => read('http://me:pw@127.0.0.1:8080/', rules), /a user name or a password/)
})

test('a site is a host, with and without www, over http and https', () => {
  const same = (one: string, other: string) => isSameSite(new URL(one), new URL(other))
  assert.ok(same('http://example.org/a', 'https://www.example.org/b'))
  for (const other of ['https://a.example.org/', 'https://example.org.evil.example/', 'https://example.org:8443/'])
    assert.ok(!same('https://example.org/', other), other)
})

test('a redirect is read relative to where it came from, and by the same rules', () => {
  assert.equal(read('../b', {}, 'https://example.org/a/c'), 'https://example.org/b')
  assert.equal(read('//other.example/', {}, 'https://example.org/'), 'https://other.example/')
  assert.throws(() => read('//127.0.0.1/', {}, 'https://example.org/'), FetchError)
})

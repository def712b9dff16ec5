import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { hostName, readAllowedHost, readAllowList, whyNotAllowed } from './allow-list.ts'

const allows = (entries: readonly string[], host: string, port = 443): boolean =>
  whyNotAllowed(readAllowList(entries), host, port) === undefined

test('an entry is a name with the ports 80 and 443, or with its own', () => {
  assert.equal(allows(['registry.example'], 'registry.example'), true)
  assert.equal(allows(['registry.example'], 'registry.example', 80), true)
  assert.equal(allows(['registry.example'], 'registry.example', 8443), false)
  assert.equal(allows(['registry.example:8443'], 'registry.example', 8443), true)
  assert.equal(allows(['registry.example:8443'], 'registry.example', 443), false)
  assert.equal(allows(['registry.example'], 'a.registry.example'), false)
  assert.equal(allows([], 'registry.example'), false)
})

test('a star stands for every host below, not for the name itself and not for part of a label', () => {
  assert.equal(allows(['*.example.org'], 'a.example.org'), true)
  assert.equal(allows(['*.example.org'], 'b.a.example.org'), true)
  assert.equal(allows(['*.example.org'], 'example.org'), false)
  assert.equal(allows(['*.example.org'], 'badexample.org'), false)
  assert.equal(allows(['*.example.org:8443'], 'a.example.org', 8443), true)
})

test('upper case, a closing dot and other scripts are one name', () => {
  assert.equal(hostName('Registry.EXAMPLE.'), 'registry.example')
  assert.equal(hostName('Bücher.example'), 'xn--bcher-kva.example')
  assert.equal(allows(['Bücher.example'], 'xn--bcher-kva.example'), true)
  assert.equal(hostName('ｅｘａｍｐｌｅ.org'), 'example.org')
})

const ADDRESSES = [
  '127.0.0.1',
  '2130706433',
  '0x7f000001',
  '127.1',
  '0177.0.0.1',
  '１２７.0.0.1',
  '::1',
  '[::1]',
  '1.2',
]
test('an address is no name, however it is spelled', () => {
  for (const text of ADDRESSES) assert.equal(hostName(text), undefined, text)
})

test('whatever is taken for a name has one form, which is taken again', () => {
  fc.assert(
    fc.property(fc.oneof(fc.domain(), fc.string(), fc.ipV4(), fc.ipV6()), (text) => {
      const name = hostName(text)
      if (name !== undefined) assert.equal(hostName(name), name)
    }),
  )
})

const REFUSED: readonly (readonly [entry: string, problem: RegExp])[] = [
  ['https://registry.example', /scheme/],
  ['registry.example/path', /path/],
  ['user@registry.example', /user name/],
  ['127.0.0.1', /address/],
  ['10.0.0.1:8080', /address/],
  ['::1', /address/],
  ['[::1]:443', /address/],
  ['0x7f.1', /no host name/],
  ['localhost', /this machine/],
  ['db.localhost:5432', /this machine/],
  ['*', /"\*"/],
  ['a.*.example', /"\*"/],
  ['*a.example', /"\*"/],
  ['*.*.example', /"\*"/],
  ['*.org', /too wide/],
  ['registry.example:0', /port/],
  ['registry.example:65536', /port/],
  ['registry.example:https', /port/],
  ['registry..example', /no host name/],
  ['-a.example', /no host name/],
  ['two names', /no host name/],
  ['', /no host name/],
]
for (const [entry, problem] of REFUSED)
  test(`"${entry}" is refused with a reason`, () => {
    const reading = readAllowedHost(entry)
    assert.match(reading.ok ? 'taken' : reading.problem, problem)
    assert.throws(() => readAllowList(['ok.example', entry]), { name: 'TaoError', code: 'network', fix: /network: \[/ })
  })

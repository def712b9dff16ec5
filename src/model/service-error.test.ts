import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readRetryAfter, serviceError, serviceWords } from './service-error.ts'

const ASKED = { name: 'test/x', keyVariable: 'TEST_API_KEY', baseUrl: 'https://example.com/v1' }
const NOW = Date.parse('2026-01-01T00:00:00Z')

test('the time to come back is read in seconds and as a date', () => {
  assert.equal(readRetryAfter('7', NOW), 7_000)
  assert.equal(readRetryAfter('0.5', NOW), 500)
  assert.equal(readRetryAfter('Thu, 01 Jan 2026 00:01:00 GMT', NOW), 60_000)
  assert.equal(readRetryAfter('Thu, 01 Jan 2025 00:00:00 GMT', NOW), 0)
  for (const nothing of [undefined, '', 'soon']) assert.equal(readRetryAfter(nothing, NOW), undefined)
})

test('an error takes the time to come back with it', () => {
  assert.equal(serviceError({ status: 429, body: '', retryAfter: '3' }, ASKED, NOW).retryAfterMs, 3_000)
})

test('the words of a service are found in every known shape', () => {
  const shapes = [
    '{"error":{"message":"m"}}',
    '{"error":"m"}',
    '{"message":"m"}',
    '{"detail":"m"}',
    '{"detail":[{"msg":"m"}]}',
    '{"errors":[{"message":"m"}]}',
    '[{"error":{"message":"m"}}]',
    '"m"',
    'm',
    '<p>m</p>',
  ]
  for (const shape of shapes) assert.equal(serviceWords(shape), 'm', shape)
})

test('words are one line of bounded length, and a body is bounded too', () => {
  const error = serviceError({ status: 500, body: `two\nlines ${'x'.repeat(200_000)}` }, ASKED)
  assert.ok(error.message.length < 500 && error.message.includes('two lines'))
  assert.equal(error.body?.length, 100_000)
})

test('an answer without a word says so', () => {
  assert.match(serviceError({ status: 500, body: '' }, ASKED).message, /500: with no message/)
})

test('the statuses that may pass are told from those that stay', () => {
  const kinds = (statuses: readonly number[]) =>
    new Set(statuses.map((status) => serviceError({ status, body: '' }, ASKED).kind))
  assert.deepEqual(kinds([408, 409, 429, 500, 502, 503, 504, 529]), new Set(['overloaded']))
  assert.deepEqual(kinds([301, 400, 401, 402, 403, 404, 413, 422]), new Set(['refused']))
})

test('a code inside an answer with status 200 counts as its status', () => {
  const kind = (body: string) => serviceError({ status: 200, body }, ASKED).kind
  assert.equal(kind('{"error":{"code":503,"message":"x"}}'), 'overloaded')
  assert.equal(kind('{"error":{"code":"429","message":"x"}}'), 'overloaded')
  assert.equal(kind('{"error":{"code":400,"message":"overloaded"}}'), 'refused')
  assert.equal(kind('{"error":{"code":20012,"message":"x"}}'), 'refused')
})

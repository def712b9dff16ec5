import assert from 'node:assert/strict'
import { test } from 'node:test'
import { NO_USAGE } from '../../core/usage.ts'
import type { Ask } from '../ask.ts'
import { extract, readExtract } from './extract.ts'

const never = new AbortController().signal
const GOOD = '{"rational": "a", "evidence": "b", "summary": "c"}'
const VALUE = { rational: 'a', evidence: 'b', summary: 'c' }

/** A second model that gives these replies; how much of the page each request held. */
function scriptedAsk(replies: readonly (string | Error)[]) {
  const left = [...replies]
  const sizes: number[] = []
  const ask: Ask = async (messages) => {
    sizes.push(/<page>\n([\s\S]*)\n<\/page>/.exec(messages[1]?.text ?? '')?.[1]?.length ?? -1)
    const reply = left.shift() ?? ''
    if (reply instanceof Error) throw reply
    return { text: reply, usage: NO_USAGE }
  }
  return { ask, sizes }
}

// The original's function gives nothing here, and the check of its length fails.
test('replies without content: the page is cut to 70 % three times, then to 25,000 characters, then it is told', async () => {
  const { ask, sizes } = scriptedAsk(['', '{}', '', '', ''])
  assert.deepEqual(await extract(ask, 'x'.repeat(100_000), 'goal', never), {
    ok: false,
    problem: 'it replied with nothing',
  })
  assert.deepEqual(sizes, [100_000, 70_000, 49_000, 34_300, 25_000])
})

test('a page that was too long once is read when it was cut', async () => {
  const { ask, sizes } = scriptedAsk([new Error('context length exceeded'), GOOD])
  assert.deepEqual(await extract(ask, 'x'.repeat(1_000), 'goal', never), { ok: true, value: VALUE })
  assert.deepEqual(sizes, [1_000, 700])
})

test('a reply that is not JSON is asked for again, three times', async () => {
  const poor = 'I could not make JSON of it.'
  const twice = scriptedAsk([poor, poor, GOOD])
  assert.deepEqual(await extract(twice.ask, 'page', 'goal', never), { ok: true, value: VALUE })
  const never4 = scriptedAsk([poor, poor, poor, poor, GOOD])
  assert.deepEqual(await extract(never4.ask, 'page', 'goal', never), {
    ok: false,
    problem: 'its replies could not be read',
  })
  assert.equal(never4.sizes.length, 4)
})

test('a page is cut to 95,000 tokens before it is shown', async () => {
  const latin = scriptedAsk([GOOD])
  await extract(latin.ask, 'x'.repeat(1_000_000), 'goal', never)
  const han = scriptedAsk([GOOD])
  await extract(han.ask, '河'.repeat(1_000_000), 'goal', never)
  assert.deepEqual([latin.sizes, han.sizes], [[285_000], [95_000]])
})

test('a cancelled call rejects with its reason, whatever the model says', async () => {
  const ask: Ask = async () => {
    throw new Error('aborted')
  }
  await assert.rejects(extract(ask, 'page', 'goal', AbortSignal.abort(new Error('stop'))), /stop/)
})

test('a model that never replies and ignores its signal does not hold up the call', async () => {
  const silent: Ask = () => new Promise(() => {})
  await assert.rejects(extract(silent, 'page', 'goal', AbortSignal.timeout(20)), { name: 'TimeoutError' })
})

const READ: readonly [what: string, reply: string, value: object | undefined][] = [
  ['plain', GOOD, VALUE],
  ['in a fence', `\`\`\`json\n${GOOD}\n\`\`\``, VALUE],
  ['with text around', `Sure.\n${GOOD}\nDone.`, VALUE],
  [
    'with lists of quotes',
    '{"evidence": ["b", "c"], "summary": ""}',
    { rational: '', evidence: 'b\n\nc', summary: '' },
  ],
  ['with a comma too many', '{"rational": "a", "evidence": "b", "summary": "c",}', VALUE],
  ['with nothing of use', '{"answer": "b"}', undefined],
  ['with empty parts', '{"evidence": "", "summary": null}', undefined],
  ['cut off', '{"rational": "a", "evidence": "b', undefined],
  ['no object', 'evidence: b', undefined],
]
for (const [what, reply, value] of READ)
  test(`a reply is read: ${what}`, () => assert.deepEqual(readExtract(reply), value))

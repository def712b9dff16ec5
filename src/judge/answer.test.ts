import assert from 'node:assert/strict'
import { test } from 'node:test'
import { after } from '../../test/support/recorded.ts'
import { TaoError } from '../core/error.ts'
import { type AnswerOptions, answer } from './answer.ts'

const judge = (options: AnswerOptions, text: string) => answer(options).check(after({}, text))

// https://github.com/huggingface/smolagents/issues/825
test('the answer must be JSON that fits the schema, and nothing else', async () => {
  const schema = { type: 'object', required: ['total'], properties: { total: { type: 'integer' } } }
  assert.equal((await judge({ schema }, ' {"total": 42}\n')).holds, true)
  assert.match((await judge({ schema }, '{"total": "42"}')).detail, /does not fit its schema: \/total must be integer/)
  assert.match((await judge({ schema }, 'Here it is: {"total": 42}')).detail, /is not one JSON value/)
  assert.match((await judge({ schema }, '{"total": 42, "total": 43}')).detail, /appears twice/)
})

// https://github.com/xorbitsai/xagent/pull/1269
// https://github.com/OpenHands/OpenHands/pull/7002
test('the answer must have its length; white space is no answer', async () => {
  assert.equal((await judge({ minLength: 1 }, ' \n ')).holds, false)
  assert.equal((await judge({ minLength: 2, maxLength: 4 }, ' abc ')).holds, true)
  assert.equal((await judge({ maxLength: 4 }, 'abcde')).detail, 'The answer has 5 characters.')
})

test('the answer must contain its pattern', async () => {
  assert.equal((await judge({ matches: '/^Cause: /' }, 'Cause: a key')).holds, true)
  assert.equal((await judge({ matches: '/^Cause: /' }, 'A key')).holds, false)
})

test('the answer must be in its language; what is too short to tell is not', async () => {
  const german = 'Der Test schlug fehl, weil der Pfad zu den Einstellungen falsch war.'
  assert.equal((await judge({ language: 'de' }, german)).holds, true)
  assert.match((await judge({ language: 'en' }, german)).detail, /is in "de", not in "en"/)
  assert.equal((await judge({ language: 'ru' }, 'Тест не прошёл, потому что путь к настройкам неверный.')).holds, true)
  assert.equal((await judge({ language: 'zh' }, '测试失败，因为设置文件的路径错误。')).holds, true)
  assert.match((await judge({ language: 'en' }, 'ok')).detail, /too short to tell/)
})

test('everything that is wrong is said at once', async () => {
  const { detail } = await judge({ minLength: 10, matches: 'x' }, 'abc')
  assert.equal(detail, 'The answer does not contain "x".\nThe answer has 3 characters.')
})

test('a wish that cannot be met or read is refused', () => {
  for (const wish of [{}, { minLength: 2, maxLength: 1 }, { language: 'English' }, { schema: { type: 'nonsense' } }])
    assert.throws(() => answer(wish), TaoError, JSON.stringify(wish))
})

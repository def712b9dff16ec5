import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Language, languageOf } from './language.ts'

const TASKS: readonly (readonly [Language, string])[] = [
  ['en', 'Find why the test fails.'],
  ['en', 'Translate „привет“ and 你好 into English, please.'],
  ['en', '6 × 7 = ?'],
  ['en', ''],
  ['en', '東京の天気を調べてください'],
  ['ru', 'Найди, почему тест не проходит.'],
  ['ru', 'Исправь ошибку в src/app/main.ts'],
  ['ru', 'Запусти npm run test'],
  ['ru', 'npm test не проходит'],
  ['zh', '找出测试失败的原因。'],
  ['zh', '运行 npm run test'],
  ['zh', '把 CHANGELOG.md 里的 deprecated 条目删掉'],
]

test('a task is in the language of the script that most of its words are in', () => {
  for (const [language, task] of TASKS) assert.equal(languageOf(task), language, task)
})

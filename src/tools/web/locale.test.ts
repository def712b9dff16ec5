import assert from 'node:assert/strict'
import { test } from 'node:test'
import { localeOf } from './locale.ts'

const LANGUAGES: readonly [query: string, language: string][] = [
  ['who built the bridge', 'en'],
  ['Wer baute die Brücke über die Elbe?', 'en'],
  ['', 'en'],
  ['1889 + 2', 'en'],
  ['谁建造了这座桥', 'zh-cn'],
  ['Python 教程', 'zh-cn'],
  ['橋を建てた人', 'ja'],
  ['다리를 지은 사람 (橋)', 'ko'],
  ['кто построил мост', 'ru'],
  ['ποιος έχτισε τη γέφυρα', 'el'],
  ['the α and β decay of uranium', 'en'],
  ['من بنى الجسر', 'ar'],
  ['पुल किसने बनाया', 'hi'],
]
for (const [query, language] of LANGUAGES)
  test(`"${query}" is searched in ${language}`, () => assert.equal(localeOf(query).language, language))

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { JUDGE_PROMPTS, rubricPrompt } from './judge-prompts.ts'

const read = (name: string, reply: string): unknown => JUDGE_PROMPTS.get(name)?.read(reply)
const verdict = (name: string, reply: string): unknown => JUDGE_PROMPTS.get(name)?.read(reply)?.verdict

test('one word is read as that word and as nothing else', () => {
  assert.deepEqual(
    ['Correct', ' correct.\n', '**Correct**', 'Incorrect', 'Correct, I think', 'constructor', ''].map((reply) =>
      verdict('gaia', reply),
    ),
    ['correct', 'correct', 'correct', 'wrong', undefined, undefined, undefined],
  )
  assert.deepEqual(
    ['A', 'b', 'C.', 'D', 'A B'].map((reply) => verdict('three-grade', reply)),
    ['correct', 'wrong', 'not attempted', undefined, undefined],
  )
})

test('fields are read from an object, also within other words', () => {
  const reply = 'Here: ```json\n{"extracted": "1937", "why": "The same year.", "correct": "yes", "confidence": 85}\n```'
  for (const name of ['confidence', 'browsecomp'])
    assert.deepEqual(read(name, reply), {
      verdict: 'correct',
      why: 'The same year.',
      extracted: '1937',
      confidence: 85,
    })
  assert.deepEqual(read('confidence', '{"extracted": null, "correct": "no", "confidence": null}'), {
    verdict: 'wrong',
    why: 'The judge gave no reason.',
  })
  for (const wrong of ['{"correct": true}', '{"correct": "maybe"}', '{', 'yes'])
    assert.equal(read('confidence', wrong), undefined)
  assert.deepEqual(read('browsecomp', '{"correct": "no", "why": "w", "confidence": 400}'), {
    verdict: 'wrong',
    why: 'w',
  })
})

test('the Chinese judge is read in Chinese', () => {
  const reply = (said: string): string => JSON.stringify({ 最终答案: '青溪大桥', 解释: '一致', 结论: said })
  assert.deepEqual(read('xbench', reply('正确')), { verdict: 'correct', why: '一致', extracted: '青溪大桥' })
  assert.deepEqual([verdict('xbench', reply('错误')), verdict('xbench', reply('对'))], ['wrong', undefined])
})

test("a rubric of one's own is part of what the model is told, and answers are material", () => {
  const { system, read: readRubric } = rubricPrompt('mine.md', 'Right is what names the river.\n')
  assert.match(system, /Right is what names the river\.$/)
  assert.equal(readRubric('{"correct": "yes", "why": "It does."}')?.verdict, 'correct')
  for (const prompt of JUDGE_PROMPTS.values()) assert.match(prompt.system, /never|Nothing|不是/)
})

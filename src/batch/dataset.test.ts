import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { formOf, readDataset, readShard, shardOf } from './dataset.ts'
import type { Row } from './item.ts'

const lines = (text: string): Row[] => readDataset(text, 'jsonl', 'q.jsonl')
const question = (row: Row | undefined): string | undefined => (row && 'item' in row ? row.item.question : undefined)
const problem = (row: Row | undefined): string | undefined => (row && 'problem' in row ? row.problem : undefined)

test('a list of objects and one object a line say the same', () => {
  const rows = [
    { question: 'A?', answer: '1' },
    { id: 7, question: 'B?', answer: 2, level: 'hard' },
  ]
  const fromLines = lines(rows.map((row) => JSON.stringify(row)).join('\n'))
  const fromList = readDataset(JSON.stringify(rows), 'json', 'q.json')
  assert.deepEqual(
    fromLines.map(({ where: _, ...row }) => row),
    fromList.map(({ where: _, ...row }) => row),
  )
  const second = fromList[1]
  assert.ok(second !== undefined && 'item' in second)
  assert.deepEqual([second.id, second.item.answer, second.item.fields], ['7', 2, { level: 'hard' }])
})

test('a question may stand in messages: what the user says, or what is behind "User:" there', () => {
  const chat = (content: string) =>
    JSON.stringify({
      messages: [
        { role: 'system', content: 's' },
        { role: 'user', content },
      ],
    })
  assert.deepEqual(lines(`${chat('Who?')}\n${chat('Answer this. User: Who else?')}`).map(question), [
    'Who?',
    'Who else?',
  ])
})

test('files are named before the question, once, and read back from there', () => {
  const rows = lines(
    [
      '{"question":"What?","files":["a.csv","b.pdf"]}',
      String.raw`{"question":"(Uploaded 1 file: ['a.csv'])\n\nWhat?"}`,
      '{"question":"What?","files":"a.csv"}',
    ].join('\n'),
  )
  assert.deepEqual(rows.map(question), [
    "(Uploaded 2 files: ['a.csv', 'b.pdf'])\n\nWhat?",
    "(Uploaded 1 file: ['a.csv'])\n\nWhat?",
    "(Uploaded 1 file: ['a.csv'])\n\nWhat?",
  ])
  assert.deepEqual(
    rows.map((row) => 'item' in row && row.item.files),
    [['a.csv', 'b.pdf'], ['a.csv'], ['a.csv']],
  )
})

// https://github.com/NousResearch/hermes-agent/issues/86523
test('equal rows are kept apart, and a name stays when rows before it come or go', () => {
  const row = '{"question":"A?","answer":"1"}'
  const ids = lines(`${row}\n${row}\n{"id":"x","question":"B?"}\n{"id":"x","question":"C?"}`).map(({ id }) => id)
  assert.equal(new Set(ids).size, 4)
  assert.deepEqual(ids.slice(1), [`${ids[0]}#2`, 'x', 'x#2'])
  assert.deepEqual(lines(`{"question":"New?"}\n${row}`)[1]?.id, ids[0])
})

// https://github.com/microsoft/graphrag/issues/2424 and https://github.com/apache/airflow/pull/72246
test('blank lines are passed over, and what is wrong is said with the number of the line in the file', () => {
  const rows = lines('{"question":"A?"}\n\n\r\n{"question":\n{"question":" "}\n[]\n{"question":"B?","files":[1]}\n')
  assert.deepEqual(
    rows.map(({ where }) => where),
    ['line 1', 'line 4', 'line 5', 'line 6', 'line 7'],
  )
  assert.match(problem(rows[1]) ?? '', /^it is no JSON: /)
  assert.match(problem(rows[2]) ?? '', /^it has no question/)
  assert.deepEqual(problem(rows[3]), 'it is no object')
  assert.match(problem(rows[4]) ?? '', /"files"/)
})

// https://github.com/microsoft/promptflow/pull/4188
test('a byte order mark is no part of the first row', () => {
  assert.deepEqual(lines('\ufeff{"question":"A?"}').map(question), ['A?'])
  assert.deepEqual(readDataset('\ufeff[{"question":"A?"}]', 'json', 'q.json').map(question), ['A?'])
})

// https://github.com/volcengine/OpenViking/pull/3988
test('only a line feed ends a row: other separators are part of a text', () => {
  const text = 'a\u2028b\u0085c\u000cd\u2029e'
  const row = `{"question":"${text.replace('\f', '\\f')}"}`
  assert.deepEqual(lines(`${row}\r\n${row}`).map(question), [text, text])
})

test('what is no dataset is refused with what to write instead', () => {
  assert.throws(() => readDataset('\n', 'jsonl', 'q.jsonl'), { code: 'dataset', message: /q\.jsonl is empty/ })
  assert.throws(() => readDataset('{}', 'json', 'q.json'), { code: 'dataset', message: /not a list/ })
  assert.throws(() => readDataset('[', 'json', 'q.json'), { code: 'dataset', message: /no JSON/ })
  assert.throws(() => formOf('q.csv'), { code: 'dataset' })
  for (const wrong of ['0/3', '4/3', '1', 'a/b', '1/0']) assert.throws(() => readShard(wrong), { code: 'usage' })
})

test('parts of a dataset are contiguous, and together they are the whole', () => {
  assert.deepEqual(shardOf([1, 2, 3, 4, 5, 6, 7], readShard('2/3')), [4, 5, 6])
  fc.assert(
    fc.property(fc.nat(200), fc.integer({ min: 1, max: 20 }), (length, of) => {
      const rows = Array.from({ length }, (_, at) => at)
      const parts = Array.from({ length: of }, (_, at) => shardOf(rows, { number: at + 1, of }))
      assert.deepEqual(parts.flat(), rows)
    }),
  )
})

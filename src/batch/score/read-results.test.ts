import assert from 'node:assert/strict'
import { mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { openResultFolder, recordOf } from '../../../test/support/results.ts'
import { readResults, resultFiles } from './read-results.ts'

const line = (value: unknown): string => `${JSON.stringify(value)}\n`
/** A record as Alibaba's DeepResearch writes it: five fields and no more. */
const original = (question: string, prediction: string, more: object = {}): object => {
  const { answer, messages, termination } = recordOf({ question, prediction }, 1)
  return { question, answer, messages, prediction, termination, ...more }
}

test('a folder is its result files, in the order of their rollouts, and nothing else that lies there', async () => {
  using bench = openResultFolder()
  const out = bench.write(
    'out',
    Array.from({ length: 11 }, () => [{ id: 'a' }]),
  )
  for (const name of ['scored.jsonl', 'runs.jsonl', 'judgements.jsonl', 'iter1_scored.jsonl'])
    writeFileSync(join(out, name), '{}\n')
  const { attempts, problems } = await readResults(resultFiles([out]))
  assert.deepEqual([attempts.map(({ rollout }) => rollout), problems], [[1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11], []])
})

test('files of the original are read: rounds by their names, parts together, items by their question', async () => {
  using bench = openResultFolder()
  const out = join(bench.folder, 'theirs')
  mkdirSync(out)
  writeFileSync(join(out, 'iter1_split1of2.jsonl'), line(original('A?', 'x')))
  writeFileSync(join(out, 'iter1_split2of2.jsonl'), line(original('B?', 'x')))
  writeFileSync(join(out, 'iter2_split1of2.jsonl'), line(original('A?', 'y')))
  const { attempts } = await readResults(resultFiles([out]))
  assert.deepEqual(
    attempts.map(({ question, rollout, prediction }) => [question, rollout, prediction]),
    [
      ['A?', 1, 'x'],
      ['B?', 1, 'x'],
      ['A?', 2, 'y'],
    ],
  )
  assert.equal(attempts[0]?.id, attempts[2]?.id)
  assert.deepEqual([attempts[0]?.figures.turns, attempts[0]?.figures.cost, attempts[0]?.run], [1, undefined, undefined])
})

test('of two records of one rollout the later one counts: the first was a failure that was run again', async () => {
  using bench = openResultFolder()
  const path = join(bench.folder, 'iter1.jsonl')
  writeFileSync(path, line(original('A?', '[Failed]', { error: 'timeout' })) + line(original('A?', 'x')))
  const { attempts } = await readResults(resultFiles([path]))
  assert.deepEqual(
    attempts.map(({ prediction, error, line }) => [prediction, error, line]),
    [['x', undefined, 2]],
  )
})

// https://github.com/tetsuo-ai/agenc-core/issues/2081, https://github.com/microsoft/graphrag/issues/2424,
// https://github.com/microsoft/promptflow/pull/4188, https://github.com/volcengine/OpenViking/pull/3988,
// https://github.com/apache/airflow/pull/72246
test('a line that is no record is told with its place and counts for nothing; blank lines and a byte order mark are no trouble', async () => {
  using bench = openResultFolder()
  const path = join(bench.folder, 'iter1.jsonl')
  const whole = line(original('A\u2028?', 'x'))
  writeFileSync(path, `\ufeff${whole}\n\r\nhalf a line}\n{}\n[]\n${whole.slice(0, 40)}`)
  const { attempts, problems } = await readResults([path])
  assert.deepEqual(
    attempts.map(({ question }) => question),
    ['A\u2028?'],
  )
  assert.deepEqual(
    problems.map((problem) => problem.slice(bench.folder.length + 1).replace(/JSON: .*/, 'JSON')),
    [
      'iter1.jsonl:4 is no record: it is no JSON',
      'iter1.jsonl:5 is no record: it has no "question"',
      'iter1.jsonl:6 is no record: it is no object',
      'iter1.jsonl:7 is no record: it was cut off while it was written',
    ],
  )
})

test('where there are no results, that is said', () => {
  using bench = openResultFolder()
  assert.throws(() => resultFiles([bench.folder]), { code: 'results', message: /no results in/ })
  assert.throws(() => resultFiles([join(bench.folder, 'absent')]), { code: 'results', message: /cannot be read/ })
})

import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { expectFacts } from '../judge/fact-answer.ts'
import { scripted } from '../model/scripted.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { buildCriteria, type CriterionPlace, runsCommand } from './criteria.ts'
import { parseTaskFile } from './task-file.ts'

const place: CriterionPlace = { sandbox: bubblewrap(), openGrader: async (name) => scripted([], { name }) }
const doneIn = (lines: string) => parseTaskFile(`task: x\ndone:\n${lines}`, 'x.yaml').done ?? []

const ALL = `
  - { command: npm test, mustFailFirst: true }
  - unchanged: [tests]
  - changed: [src]
  - { file: a.txt, exists: false }
  - { called: run_test, with: { test: login, times: 2 }, matches: passed, exit: 0, fresh: false }
  - { fact: total, equals: 42 }
  - answer: { language: en, maxLength: 100, schema: { type: object } }
  - grounded: true
  - { model: a/b, rubric: Is clear., timeLimit: 1m }
  - any: [{ file: b.txt }, { not: { file: c.txt } }, { all: [{ file: d.txt }] }]
`

test('every criterion of a task file is built, and named so that a person knows it', async () => {
  const criteria = await buildCriteria(doneIn(ALL), place)
  assert.deepEqual(
    criteria.map(({ name }) => name),
    [
      'command: npm test',
      'unchanged: tests',
      'changed: only src',
      'file: a.txt, not there',
      'called: run_test { test: "login", times: 2 }, exit 0, giving passed',
      'fact: total = 42',
      'answer: fits the schema, is in "en", has 0 to 100 characters',
      'grounded: every number, date, identifier, quotation and link was observed',
      'opinion of a/b: Is clear.',
      'any of (file: b.txt; not file: c.txt; all of (file: d.txt))',
    ],
  )
  assert.deepEqual(
    criteria.flatMap(({ name, mustFailFirst }) => (mustFailFirst ? [name] : [])),
    ['command: npm test'],
  )
})

test('the contract that docs/judge.md shows is one that Tao accepts', async () => {
  const page = readFileSync(new URL('../../docs/judge.md', import.meta.url), 'utf8')
  const [, shown = ''] = /^```yaml\n(.*?)^```$/ms.exec(page) ?? []
  const { done = [], facts = {}, answer = '' } = parseTaskFile(`task: x\n${shown}`, 'judge.md')
  assert.equal((await buildCriteria(done, place)).length, done.length)
  expectFacts(answer, Object.keys(facts))
})

test('a command deep inside of a combination needs the sandbox like any other', () => {
  assert.deepEqual(doneIn('  - any: [{ not: { all: [{ command: x }] } }]\n  - any: [{ file: x }]').map(runsCommand), [
    true,
    false,
  ])
})

test('what cannot be checked is refused before anything runs', async () => {
  for (const lines of [
    '  - file: a\n  - file: ./a',
    '  - called: x\n    matches: /(/',
    '  - answer: {}',
    '  - not: { unchanged: [/etc] }',
  ])
    await assert.rejects(buildCriteria(doneIn(lines), place), TaoError, lines)
})

test('a slip deep inside of a combination is told where it stands', () => {
  assert.throws(
    () => doneIn('  - any: [{ not: { fil: a } }]'),
    /x\.yaml:3:20: Unknown kind of criterion "fil"\. Did you mean "file"/,
  )
  assert.throws(() => doneIn('  - grounded: false'), /"done\[0\]\.grounded" must be true/)
  assert.throws(
    () => doneIn('  - answer: { langage: en }'),
    /Unknown key "langage" in "done\[0\]\.answer"\. Did you mean "language"/,
  )
})

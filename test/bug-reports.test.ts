import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collectBugReports, renderBugReports } from './support/bug-reports.ts'
import { readLeftOut, readTopics } from './support/left-out-reports.ts'

const ROOT = join(import.meta.dirname, '..')

test('every bug report that a test names stands in docs/bug-reports.md, with that test', () => {
  const page = readFileSync(join(ROOT, 'docs/bug-reports.md'), 'utf8')
  assert.equal(
    page,
    renderBugReports({ reports: collectBugReports(ROOT), leftOut: readLeftOut(), topics: readTopics() }),
    'write it anew with: npm run bug-reports',
  )
})

test('every link to a report in a test belongs to a test with a name', () => {
  const nameless = collectBugReports(ROOT).filter(({ test: name, file }) => name === file)
  assert.deepEqual(nameless, [])
})

test('no report is both tested and left out, and each that is left out says why, once', () => {
  const tested = new Set(collectBugReports(ROOT).map(({ link }) => link))
  const leftOut = readLeftOut()
  assert.deepEqual(
    leftOut.filter(({ link, title, why }) => tested.has(link) || title === '' || why === ''),
    [],
  )
  assert.equal(new Set(leftOut.map(({ link }) => link)).size, leftOut.length)
})

test('every report that was looked at is tested or left out with a reason', () => {
  const told = new Set([...collectBugReports(ROOT), ...readLeftOut()].map(({ link }) => link))
  for (const { topic, reports } of readTopics())
    assert.deepEqual(
      reports.filter(({ links }) => !links.some((link) => told.has(link))),
      [],
      topic,
    )
})

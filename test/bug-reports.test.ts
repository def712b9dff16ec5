import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { collectBugReports, renderBugReports } from './support/bug-reports.ts'

const ROOT = join(import.meta.dirname, '..')

test('every bug report that a test names stands in docs/bug-reports.md, with that test', () => {
  const page = readFileSync(join(ROOT, 'docs/bug-reports.md'), 'utf8')
  assert.equal(page, renderBugReports(collectBugReports(ROOT)), 'write it anew with: npm run bug-reports')
})

test('every link to a report in a test belongs to a test with a name', () => {
  const nameless = collectBugReports(ROOT).filter(({ test: name, file }) => name === file)
  assert.deepEqual(nameless, [])
})

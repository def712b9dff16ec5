// `npm run bug-reports`: writes docs/bug-reports.md from the links in the tests and the lists of what was left out.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectBugReports, renderBugReports } from '../test/support/bug-reports.ts'
import { readLeftOut, readTopics } from '../test/support/left-out-reports.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(
  join(root, 'docs/bug-reports.md'),
  renderBugReports({ reports: collectBugReports(root), leftOut: readLeftOut(), topics: readTopics() }),
)

// `npm run bug-reports`: writes docs/bug-reports.md from the links in the tests.
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { collectBugReports, renderBugReports } from '../test/support/bug-reports.ts'

const root = join(import.meta.dirname, '..')
writeFileSync(join(root, 'docs/bug-reports.md'), renderBugReports(collectBugReports(root)))

// `npm run escape-list`: makes every attempt, prints what came of it, and writes docs/sandbox.md anew.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { renderPage } from '../test/escape/page.ts'
import { runEscapeList } from '../test/escape/suite.ts'
import { printRows, rowsOf } from '../test/escape/table.ts'

const PAGE = join(import.meta.dirname, '../docs/sandbox.md')

const results = await runEscapeList()
const rows = rowsOf(results)
process.stdout.write(`${printRows(rows, results)}\n`)
if (results.root === undefined) process.stderr.write('docs/sandbox.md has a column for root: root writes it.\n')
else writeFileSync(PAGE, renderPage(readFileSync(PAGE, 'utf8'), rows))

import { globSync, readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'
import type { LeftOutReport, ReportTopic } from './left-out-reports.ts'

/** A public report of somebody's bug, and a test of ours that was written because of it. */
export interface BugReport {
  readonly link: string
  readonly file: string
  readonly test: string
}

const LINK = /https:\/\/github\.com\/[\w.-]+\/[\w.-]+\/(?:issues|pull|discussions)\/\d+/g

interface Declared {
  readonly name: string
  readonly start: number
  readonly end: number
}

/** Finds the links in the comments of all tests, each with the test it stands in or else before. Sorted by link. */
export function collectBugReports(root: string): BugReport[] {
  const files = globSync(['src/**/*.{test,contract}.ts', 'test/**/*.ts'], { cwd: root }).sort()
  const reports = files.flatMap((file) => reportsIn(root, file))
  const order = new Intl.Collator('en', { numeric: true })
  return reports.sort((a, b) => order.compare(a.link, b.link) || order.compare(a.test, b.test))
}

function reportsIn(root: string, file: string): BugReport[] {
  const text = readFileSync(`${root}/${file}`, 'utf8')
  if (!text.includes('https://github.com/')) return []
  const { program, comments } = parseSync(file, text)
  const tests: Declared[] = []
  new Visitor({
    CallExpression(node) {
      const [name] = node.arguments
      const isTest = /^(test|it|\w+\.test)$/.test(text.slice(node.callee.start, node.callee.end))
      if (isTest && name !== undefined && /Literal$/.test(name.type))
        tests.push({ name: text.slice(name.start + 1, name.end - 1), start: node.start, end: node.end })
    },
    // A case of a table names itself.
    ObjectExpression(node) {
      for (const property of node.properties) {
        if (property.type !== 'Property' || property.key.type !== 'Identifier' || property.key.name !== 'what') continue
        const { value } = property
        if (/Literal$/.test(value.type))
          tests.push({ name: text.slice(value.start + 1, value.end - 1), start: node.start, end: node.end })
      }
    },
  }).visit(program)
  tests.sort((a, b) => a.start - b.start)
  return comments.flatMap(({ value, start }) => {
    const test =
      tests.findLast((each) => each.start < start && start < each.end) ?? tests.find((each) => each.start > start)
    return Array.from(value.matchAll(LINK), ([link]) => ({
      link,
      file,
      test: test === undefined ? file : readable(test.name),
    }))
  })
}

/** A name as it is written, without escapes and with dots for what is filled in. */
const readable = (name: string): string => name.replaceAll('\\', '').replaceAll(/\$\{[^}]*\}/g, '…')

export interface ReportPage {
  readonly reports: readonly BugReport[]
  readonly leftOut: readonly LeftOutReport[]
  readonly topics: readonly ReportTopic[]
}

/** The page that shows them: `docs/bug-reports.md`. */
export function renderBugReports({ reports, leftOut, topics }: ReportPage): string {
  const entries = topics.flatMap((topic) => topic.reports)
  const idsOf = (link: string) => entries.flatMap(({ id, links }) => (links.includes(link) ? [id] : [])).join(', ')
  const row = (link: string, ...cells: readonly string[]) =>
    `| ${[asLink(link), idsOf(link), ...cells].map((cell) => cell.replaceAll('|', '\\|')).join(' | ')} |`
  const tested = reports.map(({ link, file, test }) => row(link, test, `[${file}](../${file})`))
  const others = leftOut.map(({ link, title, why }) => row(link, title, why))
  const links = new Set(reports.map(({ link }) => link))
  return `${HEAD(links.size)}${tested.join('\n')}\n${LEFT_OUT(others.length)}${others.join('\n')}\n`
}

const asLink = (link: string): string =>
  `[${link.slice('https://github.com/'.length).replace(/\/(issues|pull|discussions)\//, '#')}](${link})`

const HEAD = (count: number): string => `# Bug reports that became tests

Each row is a public report about an agent, a client or a service, and a test of ours that keeps the same thing from
happening here: ${count} reports so far. The table is made from the links in the tests: \`npm run bug-reports\` writes it anew.
Reports of one fault share an id; its letter is a topic: a pairing, b arguments, c protocols in text, d loops and endings,
f services, g shell and files, h resume, j batches, k proof, l replay.

| report | id | what we promise | test |
|---|---|---|---|
`

const LEFT_OUT = (count: number): string => `
## Left out

${count} reports that no test keeps from happening here, and why.

| report | id | what happened | why it is left out |
|---|---|---|---|
`

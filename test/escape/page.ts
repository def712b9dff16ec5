import { NETWORK_ENVIRONMENT } from '../../src/sandbox/network.ts'
import { ENVIRONMENT, WORKSPACE } from '../../src/sandbox/profile.ts'
import { type Row, renderRows } from './table.ts'

/** What the shell adds that starts every command. */
export const ADDED_BY_SHELL: Readonly<Record<string, string>> = { PWD: WORKSPACE }

/** docs/sandbox.md with its generated parts written anew: what stands between two marks of one name. */
export function renderPage(page: string, rows: readonly Row[]): string {
  const environment = renderVariables({ ...ENVIRONMENT, ...ADDED_BY_SHELL })
  const withEnvironment = between(page, 'environment', environment)
  const withBoth = between(withEnvironment, 'environment with network', renderVariables(NETWORK_ENVIRONMENT))
  return between(withBoth, 'escape list', renderRows(rows))
}

function renderVariables(variables: Readonly<Record<string, string>>): string {
  const lines = Object.entries(variables).map(([name, value]) => `| \`${name}\` | \`${value}\` |`)
  return ['| variable | value |', '|---|---|', ...lines].join('\n')
}

function between(page: string, name: string, text: string): string {
  const [open, close] = [`<!-- ${name} -->`, `<!-- end of ${name} -->`]
  const [start, end] = [page.indexOf(open), page.indexOf(close)]
  if (start === -1 || end < start) throw new Error(`docs/sandbox.md has lost its marks ${open} and ${close}.`)
  return `${page.slice(0, start)}${open}\n\n${text}\n\n${page.slice(end)}`
}

import type { Attempt, Finding } from './attempt.ts'
import { ATTEMPTS } from './attempts.ts'
import type { Results } from './suite.ts'

/** One line of the table: what was seen. */
export interface Row {
  readonly attempt: Attempt
  readonly naive: string
  readonly user: string
  readonly root: string
}

const NOT_RUN = 'not run'

/** The whole list, with what was seen. */
export function rowsOf({ user, root }: Results): Row[] {
  return ATTEMPTS.map((attempt) => {
    const { number, naive } = attempt
    return {
      attempt,
      naive: typeof naive === 'string' ? verdictOf(user.naive?.[number]) : NOT_RUN,
      user: verdictOf(user.tao[number]),
      root: root === undefined ? NOT_RUN : verdictOf(root.tao[number]),
    }
  })
}

const verdictOf = (finding: Finding | undefined): string => finding?.verdict ?? 'missing'

/** As a table of Markdown. */
export function renderRows(rows: readonly Row[]): string {
  const lines = rows.map(({ attempt, naive, user, root }) => {
    const { number, name, counts } = attempt
    return `| ${[number, name, counts, naive, user, root, remarkOn(attempt)].join(' | ')} |`
  })
  const head = '| # | attempt | escaped when | naive | Tao, by a user | Tao, by root | remark |'
  return [head, '|---|---|---|---|---|---|---|', ...lines].join('\n')
}

function remarkOn({ naive, remark }: Attempt): string {
  const reason = typeof naive === 'string' ? undefined : `naive: ${naive.notRun}`
  return [remark, reason].filter((part) => part !== undefined).join('; ')
}

/** For a terminal: what was seen, and how Tao stopped it. */
export function printRows(rows: readonly Row[], { user, root }: Results): string {
  const wide = Math.max(...rows.map(({ attempt }) => attempt.name.length))
  const line = (number: string, name: string, words: readonly string[], how: string) =>
    `${number.padStart(2)}  ${name.padEnd(wide)}  ${words.map((word) => word.padEnd(9)).join('')}${how}`
  return [
    line('#', 'attempt', ['naive', 'user', 'root'], 'how'),
    ...rows.map(({ attempt: { number, name }, naive, ...tao }) => {
      const how = (root ?? user).tao[number]?.detail ?? ''
      return line(`${number}`, name, [naive, tao.user, tao.root], how.split('\n').at(-1) ?? '')
    }),
  ].join('\n')
}

import type { Difference } from '../run/difference.ts'
import { printable } from './printable.ts'

const CONTEXT = 2

/** The first difference of a replay, with both sides. */
export const differenceText = async ({ seq, kind, field, recorded, now }: Difference): Promise<string> =>
  printable(`event ${seq}, ${kind}: ${field} differs\n`) + (await sidesText(textOf(recorded), textOf(now)))

/** Short values in a line each, texts as a diff. */
export async function sidesText(recorded: string, now: string): Promise<string> {
  const isShort = ![recorded, now].some((text) => text.includes('\n') || text.length > 100)
  return printable(isShort ? `  recorded: ${recorded}\n  now:      ${now}\n` : await diffLines(recorded, now))
}

const textOf = (value: unknown): string =>
  typeof value === 'string' ? value : value === undefined ? '(nothing)' : JSON.stringify(value, null, 2)

/** Comparing lines takes a library that is loaded for it alone. */
async function diffLines(before: string, after: string): Promise<string> {
  const { structuredPatch } = await import('diff')
  const { hunks } = structuredPatch('', '', `${before}\n`, `${after}\n`, '', '', { context: CONTEXT })
  const lines = hunks.flatMap(({ oldStart, newStart, lines: inHunk }) => [`@@ -${oldStart} +${newStart} @@`, ...inHunk])
  return ['--- recorded', '+++ now', ...lines].map((line) => `  ${line}\n`).join('')
}

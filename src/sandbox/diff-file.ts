import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { diffName } from './diff-name.ts'

/** One file before or after. */
export interface Side {
  /** As git writes it: type and permissions. */
  readonly mode: string
  /** Its bytes, or why they are not compared. `lost`: what it said is known nowhere any more. */
  readonly content: Buffer | 'binary' | 'large' | 'lost' | 'changed'
}

export interface Sides {
  /** Undefined for a file that is new. */
  readonly before: Side | undefined
  /** Undefined for a file that was removed. */
  readonly after: Side | undefined
}

/** Milliseconds that one comparison may take. */
const COMPARISON_LIMIT = 3_000

/** The change of one path, as `git diff` writes it; `git apply` and `patch -p1` take it. */
export function writeFileDiff(path: string, { before, after }: Sides): string {
  // Git knows no change from a file to a link: one goes, the other comes.
  if (before !== undefined && after !== undefined && isLink(before) !== isLink(after))
    return writeFileDiff(path, { before, after: undefined }) + writeFileDiff(path, { before: undefined, after })
  const [a, b] = [diffName(`a/${path}`), diffName(`b/${path}`)]
  const lines = [`diff --git ${a} ${b}`]
  if (before === undefined && after !== undefined)
    lines.push(`new file mode ${after.mode}`, ...emptyIndex(after, '0000000..e69de29'))
  else if (after === undefined && before !== undefined)
    lines.push(`deleted file mode ${before.mode}`, ...emptyIndex(before, 'e69de29..0000000'))
  else if (before?.mode !== after?.mode) lines.push(`old mode ${before?.mode}`, `new mode ${after?.mode}`)
  const [from, to] = [before === undefined ? '/dev/null' : a, after === undefined ? '/dev/null' : b]
  lines.push(...writeContent(before?.content ?? NOTHING, after?.content ?? NOTHING, { from, to, tab: tabAfter(path) }))
  return lines.map((line) => `${line}\n`).join('')
}

const NOTHING = Buffer.alloc(0)
const isLink = ({ mode }: Side): boolean => mode.startsWith('12')

/** Git's id of an empty file, which tells `patch` that the file has nothing rather than that nothing is said of it. */
const emptyIndex = ({ content }: Side, ids: string): string[] =>
  typeof content !== 'string' && content.length === 0 ? [`index ${ids}`] : []

/** Git ends names with spaces so: else a time would be looked for behind the space. */
const tabAfter = (path: string): string => (path.includes(' ') ? '\t' : '')

interface Names {
  readonly from: string
  readonly to: string
  readonly tab: string
}

function writeContent(before: Side['content'], after: Side['content'], { from, to, tab }: Names): string[] {
  const differ = `Files ${from} and ${to} differ`
  if (before === 'large' || after === 'large') return [`${differ}; they are too large to compare`]
  if (after === 'changed') return [`${differ}; the file changes while it is looked at`]
  if (before === 'lost') return [`${differ}; what it said before the run was not kept, and the tree has changed since`]
  if (typeof before === 'string' || typeof after === 'string') return [`Binary files ${from} and ${to} differ`]
  if (before.equals(after)) return []
  const [old, new_] = [textOf(before), textOf(after)]
  if (old === undefined || new_ === undefined) return [`Binary files ${from} and ${to} differ`]
  const patch = structuredPatch('', '', old, new_, '', '', { context: 3, timeout: COMPARISON_LIMIT })
  if (patch === undefined) return [`${differ}; comparing their lines takes too long`]
  const [fromTab, toTab] = [from === '/dev/null' ? '' : tab, to === '/dev/null' ? '' : tab]
  return [`--- ${from}${fromTab}`, `+++ ${to}${toTab}`, ...patch.hunks.flatMap(writeHunk)]
}

const writeHunk = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string[] => [
  `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
  ...lines,
]

/** An empty range is named by the line before it. */
const range = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`

function textOf(bytes: Buffer): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

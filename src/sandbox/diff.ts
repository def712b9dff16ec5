import { createHash } from 'node:crypto'
import { lstatSync, readlinkSync } from 'node:fs'
import { type StructuredPatchHunk, structuredPatch } from 'diff'
import { TaoError } from '../core/error.ts'
import { readInside } from './safe-file.ts'
import type { State } from './snapshot.ts'
import type { Workspace } from './workspace.ts'
import { asWorkingCopy } from './workspace-of.ts'

/** Bytes of a file that are still compared line by line, and milliseconds that one comparison may take. */
const LARGEST = 2 << 20
const COMPARISON_LIMIT = 3_000

/**
 * What differs from the tree the run started with, as `git diff` writes it: new, removed and changed modes are named, and
 * files that are not text. Empty when nothing differs. Rejects with a `TaoError` when a file cannot be read safely.
 */
export async function unifiedDiff(workspace: Workspace): Promise<string> {
  const { base, delivery, record } = asWorkingCopy(workspace)
  const { states, changes } = await delivery()
  const parts: string[] = []
  for (const { path } of changes) {
    const [before, after] = [base.get(path), states.get(path)]
    parts.push(
      describeFile(path, {
        before: before === undefined || before.kind === 'folder' ? undefined : readSide(record.source, path, before),
        after: after === undefined ? undefined : readSide(record.copy, path, after),
      }),
    )
  }
  return parts.join('')
}

interface Side {
  readonly mode: string
  /** Undefined where it is not what it was at the start of the run, or too large. */
  readonly bytes: Buffer | undefined
}

function readSide(root: string, path: string, state: State): Side {
  const mode = state.kind === 'link' ? '120000' : `100${state.mode.toString(8).padStart(3, '0')}`
  const found = lstatSync(`${root}/${path}`, { throwIfNoEntry: false })
  if (found === undefined || found.size > LARGEST) return { mode, bytes: undefined }
  if (state.kind === 'link') {
    const target = found.isSymbolicLink() ? readlinkSync(`${root}/${path}`) : undefined
    return { mode, bytes: target === state.content ? Buffer.from(target) : undefined }
  }
  if (!found.isFile()) return { mode, bytes: undefined }
  const bytes = readOrNothing(root, path)
  const isSame = bytes !== undefined && createHash('sha256').update(bytes).digest('hex') === state.content
  return { mode, bytes: isSame ? bytes : undefined }
}

function readOrNothing(root: string, path: string): Buffer | undefined {
  try {
    return readInside(root, path)
  } catch (error) {
    if (error instanceof TaoError) return undefined
    throw error
  }
}

function describeFile(path: string, { before, after }: { before: Side | undefined; after: Side | undefined }): string {
  const [a, b] = [quoted(`a/${path}`), quoted(`b/${path}`)]
  const lines = [`diff --git ${a} ${b}`]
  if (before === undefined && after !== undefined) lines.push(`new file mode ${after.mode}`)
  else if (after === undefined && before !== undefined) lines.push(`deleted file mode ${before.mode}`)
  else if (before?.mode !== after?.mode) lines.push(`old mode ${before?.mode}`, `new mode ${after?.mode}`)
  const [from, to] = [before === undefined ? '/dev/null' : a, after === undefined ? '/dev/null' : b]
  lines.push(...describeContent(before, after, { from, to }))
  return lines.map((line) => `${line}\n`).join('')
}

function describeContent(
  before: Side | undefined,
  after: Side | undefined,
  { from, to }: { from: string; to: string },
): string[] {
  const old = before === undefined ? Buffer.alloc(0) : before.bytes
  const new_ = after === undefined ? Buffer.alloc(0) : after.bytes
  if (old === undefined || new_ === undefined)
    return [`Files ${from} and ${to} differ; one is too large to compare, or changed since the run started`]
  if (old.equals(new_)) return []
  const [oldText, newText] = [textOf(old), textOf(new_)]
  if (oldText === undefined || newText === undefined) return [`Binary files ${from} and ${to} differ`]
  const patch = structuredPatch('', '', oldText, newText, '', '', { context: 3, timeout: COMPARISON_LIMIT })
  if (patch === undefined) return [`Files ${from} and ${to} differ; comparing their lines takes too long`]
  return [`--- ${from}`, `+++ ${to}`, ...patch.hunks.flatMap(hunkLines)]
}

const hunkLines = ({ oldStart, oldLines, newStart, newLines, lines }: StructuredPatchHunk): string[] => [
  `@@ -${range(oldStart, oldLines)} +${range(newStart, newLines)} @@`,
  ...lines,
]

/** An empty range is named by the line before it. */
const range = (start: number, lines: number): string =>
  lines === 1 ? `${start}` : `${lines === 0 ? start - 1 : start},${lines}`

function textOf(bytes: Buffer): string | undefined {
  if (bytes.includes(0)) return undefined
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
  } catch {
    return undefined
  }
}

/** Git's way to write names that would break a line: in quotes, with escapes. */
function quoted(path: string): string {
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what has to be found
  if (!/[\u0000-\u001f"\\\u007f]/.test(path)) return path
  return JSON.stringify(path).replaceAll(/\\u00(..)/g, (_, hex: string) => `\\${octal(Number.parseInt(hex, 16))}`)
}

const octal = (code: number): string => code.toString(8).padStart(3, '0')

import { hash } from 'node:crypto'
import { fstatSync, readFileSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import { type Side, writeFileDiff } from './diff-file.ts'
import { textsFile } from './manifest.ts'
import { isText, LARGEST_TEXT, readText } from './old-texts.ts'
import { closing, openInside } from './safe-file.ts'
import type { State } from './snapshot.ts'
import { foldersAbove } from './view.ts'
import type { Change, Workspace } from './workspace.ts'
import { asWorkingCopy, type WorkingCopy } from './workspace-of.ts'

/**
 * What differs from the tree the run started with, as `git diff` writes it: new, removed and changed modes are named, and
 * files that are not text. It is the run's own change, whatever became of that tree. Empty when nothing differs. Rejects
 * with a `TaoError` when a file of the working copy cannot be read safely.
 */
export async function unifiedDiff(workspace: Workspace): Promise<string> {
  const copy = asWorkingCopy(workspace)
  const { states, changes } = await copy.delivery()
  const parts: string[] = []
  for (const { path } of inOrder(changes)) {
    const [before, after] = [copy.base.states.get(path), states.get(path)]
    const old = before === undefined || before.kind === 'folder' ? undefined : sideBefore(copy, path, before)
    const new_ = after === undefined ? undefined : sideAfter(copy, path, after)
    const isQuiet = old !== undefined && new_ !== undefined && old.mode === new_.mode
    // A change of rights that git has no word for is written with all of them.
    const modes = isQuiet && before?.mode !== after?.mode && before?.kind === after?.kind
    parts.push(
      modes
        ? writeFileDiff(path, { before: withRights(old, before), after: withRights(new_, after) })
        : writeFileDiff(path, { before: old, after: new_ }),
    )
  }
  return parts.join('')
}

/** By path; but a file that gives way to a folder, or a folder to a file, goes first. */
function inOrder(changes: readonly Change[]): readonly Change[] {
  const staying = changes.filter(({ kind }) => kind !== 'removed').map(({ path }) => path)
  const [paths, above] = [new Set(staying), new Set(staying.flatMap(foldersAbove))]
  const isInTheWay = ({ path, kind }: Change): boolean =>
    kind === 'removed' && (above.has(path) || foldersAbove(path).some((folder) => paths.has(folder)))
  return [...changes.filter(isInTheWay), ...changes.filter((change) => !isInTheWay(change))]
}

const withRights = (side: Side, state: State | undefined): Side => ({
  ...side,
  mode: `100${(state?.mode ?? 0).toString(8).padStart(3, '0')}`,
})

function sideAfter({ record }: WorkingCopy, path: string, state: State): Side {
  if (state.kind === 'link') return linkSide(state)
  return { mode: modeOf(state), content: readSame(record.copy, path, state.content) ?? 'changed' }
}

/** From what was kept at the start, else from the tree if it still has it. */
function sideBefore({ record, base }: WorkingCopy, path: string, state: State): Side {
  if (state.kind === 'link') return linkSide(state)
  const kept = base.texts.get(state.content)
  if (kept?.size === -1) return { mode: modeOf(state), content: 'binary' }
  const text = kept === undefined ? undefined : tryTo(() => readText(textsFile(record.copy), kept))
  if (text !== undefined && hash('sha256', text) === state.content) return { mode: modeOf(state), content: text }
  return { mode: modeOf(state), content: readSame(record.source, path, state.content) ?? 'lost' }
}

const linkSide = ({ content }: State): Side => ({ mode: '120000', content: Buffer.from(content) })

/** Git knows two modes of files. */
const modeOf = ({ mode }: State): string => ((mode & 0o100) === 0 ? '100644' : '100755')

/** Undefined when it is not that content any more, or not there. */
function readSame(root: string, path: string, expected: string): Side['content'] | undefined {
  return tryTo(() =>
    closing(openInside(root, path), (descriptor) => {
      if (fstatSync(descriptor).size > LARGEST_TEXT) return 'large'
      const bytes = readFileSync(descriptor)
      if (hash('sha256', bytes) !== expected) return undefined
      return isText(bytes) ? bytes : 'binary'
    }),
  )
}

function tryTo<T>(read: () => T): T | undefined {
  try {
    return read()
  } catch (error) {
    if (error instanceof TaoError || (error instanceof Error && 'code' in error)) return undefined
    throw error
  }
}

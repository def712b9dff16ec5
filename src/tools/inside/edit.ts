import { binaryKind } from './binary.ts'
import { splitLines, withoutCr } from './line-ends.ts'
import { type Located, locate } from './locate.ts'
import { explainNotFound } from './not-found.ts'
import { loadFile } from './open-file.ts'
import { Problem } from './problem.ts'
import { refuseChanged, refuseUnwritable, remarksOnReplaced, replaceFile } from './replace-file.ts'
import type { Change, EditAnswer, EditRequest } from './request.ts'
import { applySplices, bytewise, fromBytewise, occurrences, planSplices, type Splice, toBytewise } from './splice.ts'

const MARK = '\ufeff'
const MAX_SHOWN_CHANGES = 3
const AROUND = 2
const MAX_CONTEXT = 12

/** Replaces a text that occurs once, or everywhere. Bytes outside the change stay as they are. Throws a `Problem`. */
export function edit(root: string, request: EditRequest): EditAnswer {
  const file = locate(root, request.path)
  if (!file.exists) throw new Problem(`"${file.path}" does not exist. Use write_file to create it.`)
  const loaded = loadFile(file)
  refuseUnwritable(file, loaded)
  refuseChanged(file, loaded.content, request.seen)
  if (binaryKind(loaded.content) !== undefined)
    throw new Problem(`"${file.path}" is a binary file. Use bash to change it.`)
  const raw = bytewise(loaded.content)
  const wish = readWish(request, raw.startsWith(toBytewise(MARK)))
  const splices = planSplices({ raw, at: choose(file, raw, wish), ...wish })
  const edited = applySplices(raw, splices)
  if (edited === raw) throw new Problem('Nothing would change: the file already reads as new_text says.')
  const content = fromBytewise(edited)
  const written = replaceFile(file, content, loaded.mode)
  const lines = splitLines(content.toString('utf8'))
  return {
    ...{ path: file.path, bytes: content.length, sha256: written, replaced: splices.length, totalLines: lines.length },
    changes: describeChanges(raw, edited, lines, splices.slice(0, MAX_SHOWN_CHANGES)),
    remarks: remarksOnReplaced(loaded),
  }
}

interface Wish {
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
}

/** The byte order mark belongs to the file, not to its text: it is neither looked for nor replaced. */
function readWish({ oldText, newText, replaceAll }: EditRequest, marked: boolean): Wish {
  const strip = (text: string) => (marked && text.startsWith(MARK) ? text.slice(1) : text)
  const wish = { oldText: toBytewise(strip(oldText)), newText: toBytewise(strip(newText)), replaceAll }
  if (wish.oldText === '') throw new Problem('old_text is empty. Quote the text to be replaced, or use write_file.')
  if (wish.oldText === wish.newText)
    throw new Problem('old_text and new_text are equal, so there is nothing to change.')
  return wish
}

function choose(file: Located, raw: string, { oldText, replaceAll }: Wish): number[] {
  const found = occurrences(raw, oldText)
  if (found.length === 1 || (replaceAll && found.length > 0)) return found
  if (found.length > 1)
    throw new Problem(`old_text occurs ${found.length} times in "${file.path}", ${linesOf(raw, found)}. ${HOW}`)
  const text = (bytes: string) => withoutCr(fromBytewise(bytes).toString('utf8'))
  throw new Problem(
    `old_text was not found in "${file.path}". ${explainNotFound(splitLines(text(raw)), text(oldText))}`,
  )
}

const HOW = 'Quote more of the lines around it so that it is unique, or set replace_all.'

function linesOf(raw: string, found: readonly number[]): string {
  const text = withoutCr(raw)
  const lines = found.slice(0, 10).map((at) => lineNumber(text, at))
  return `on lines ${[...new Set(lines)].join(', ')}${found.length > 10 ? ' and more' : ''}`
}

const countLineEnds = (text: string): number => text.split('\n').length - 1
const lineNumber = (text: string, at: number): number => countLineEnds(text.slice(0, at)) + 1

function describeChanges(raw: string, edited: string, lines: readonly string[], splices: readonly Splice[]): Change[] {
  let shift = 0
  return splices.map(({ start, end, insertion }) => {
    const line = lineNumber(edited, start + shift)
    shift += insertion.length - (end - start)
    const added = countLineEnds(insertion) + 1
    const from = Math.max(1, line - AROUND)
    const to = Math.min(lines.length, line + added - 1 + AROUND, from + MAX_CONTEXT - 1)
    const context = lines.slice(from - 1, to).map((text) => text.slice(0, 200).toWellFormed())
    return { line, removed: countLineEnds(raw.slice(start, end)) + 1, added, contextFrom: from, context }
  })
}

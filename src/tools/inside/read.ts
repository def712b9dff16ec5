import { isUtf8 } from 'node:buffer'
import { binaryKind } from './binary.ts'
import { splitLines } from './line-ends.ts'
import { locate } from './locate.ts'
import { loadFile, sha256 } from './open-file.ts'
import { Problem } from './problem.ts'
import type { ReadAnswer, ReadRequest } from './request.ts'

/** Shows lines of a file as plain text, with LF line ends. Always gets further: a line that is too long is cut in itself. */
export function read(root: string, request: ReadRequest): ReadAnswer {
  const file = locate(root, request.path)
  const { content } = loadFile(file)
  const opened = { path: file.path, bytes: content.length, sha256: sha256(content) }
  const nothing = { ...opened, text: '', firstLine: 0, lastLine: 0, totalLines: 0, remarks: [] }
  const binary = binaryKind(content)
  if (binary !== undefined) return { ...nothing, binary }
  if (content.length === 0) return nothing
  const lines = splitLines(content.toString('utf8').replace(/^\ufeff/, ''))
  if (request.fromLine > lines.length)
    throw new Problem(`"${file.path}" has ${lines.length} lines, so there is no line ${request.fromLine}.`)
  return { ...opened, totalLines: lines.length, remarks: remarksOn(content), ...window(lines, request) }
}

type Window = Pick<ReadAnswer, 'text' | 'firstLine' | 'lastLine' | 'next' | 'longLine'>

function window(lines: readonly string[], request: ReadRequest): Window {
  const { fromLine, fromColumn, maxCharacters } = request
  const first = lines[fromLine - 1] ?? ''
  if (fromColumn > 1 && fromColumn > first.length)
    throw new Problem(`Line ${fromLine} has ${first.length} characters, so there is no column ${fromColumn}.`)
  const rest = first.slice(fromColumn - 1)
  if (rest.length > maxCharacters)
    return cutLine({ line: fromLine, column: fromColumn, rest, whole: first, maxCharacters })
  const shown = [rest]
  let size = rest.length
  const end = Math.min(lines.length, fromLine - 1 + request.lines)
  for (let next = fromLine; next < end; next++) {
    const line = lines[next] ?? ''
    size += line.length + 1
    if (size > maxCharacters) break
    shown.push(line)
  }
  const lastLine = fromLine - 1 + shown.length
  const more = lastLine < lines.length ? { next: { line: lastLine + 1, column: 1 } } : {}
  return { text: shown.join('\n'), firstLine: fromLine, lastLine, ...more }
}

interface Cut {
  readonly line: number
  readonly column: number
  readonly rest: string
  readonly whole: string
  readonly maxCharacters: number
}

/** Cuts before a character that would be split in two halves. */
function cutLine({ line, column, rest, whole, maxCharacters }: Cut): Window {
  const last = rest.charCodeAt(maxCharacters - 1)
  const length = last >= 0xd800 && last <= 0xdbff && maxCharacters > 1 ? maxCharacters - 1 : maxCharacters
  return {
    text: rest.slice(0, length),
    firstLine: line,
    lastLine: line,
    next: { line, column: column + length },
    longLine: whole.length,
  }
}

function remarksOn(content: Buffer): string[] {
  const remarks: string[] = []
  if (content.subarray(0, 3).equals(Buffer.from('\ufeff'))) remarks.push('starts with a byte order mark')
  const crlf = count(content, '\r\n')
  const all = count(content, '\n')
  if (crlf > 0) remarks.push(crlf === all ? 'CRLF line ends' : `mixed line ends: ${crlf} of ${all} are CRLF`)
  if (!isUtf8(content)) remarks.push('not valid UTF-8: such bytes are shown as \ufffd')
  return remarks
}

function count(content: Buffer, needle: string): number {
  let found = 0
  for (let at = content.indexOf(needle); at !== -1; at = content.indexOf(needle, at + needle.length)) found++
  return found
}

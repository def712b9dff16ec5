import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { callInside, factsOf, inBrackets, observe } from './call-inside.ts'
import { tool } from './define.ts'
import type { ReadAnswer } from './inside/request.ts'
import type { Place } from './place.ts'
import { seenIn } from './seen.ts'
import type { Tool } from './tool.ts'

/** Characters of a file that are shown at once. */
export const READ_CHARACTERS = 20_000

const input = z.object({
  path: z.string().describe('Path of the file, relative to the workspace.'),
  from_line: z.int().min(1).optional().describe('First line to show, counted from 1. Default: 1.'),
  from_column: z.int().min(1).optional().describe('First character of that line to show. Only for very long lines.'),
  lines: z.int().min(1).optional().describe('How many lines to show. Default: as many as fit.'),
})

/** Shows a text file: one line that says what is shown, then the text as it is, without line numbers. */
export function readFile(place: Place): Tool {
  const seen = seenIn(place.view)
  return tool({
    name: 'read_file',
    description:
      'Shows a text file of the workspace. The first line says which lines are shown; the file’s own text follows, unchanged, without line numbers.',
    input,
    effects: 'read',
    async run(
      { path, from_line: fromLine = 1, from_column: fromColumn = 1, lines = Number.MAX_SAFE_INTEGER },
      { signal },
    ) {
      const limits = { lines, maxCharacters: READ_CHARACTERS }
      const answer = await callInside(place, { operation: 'read', path, fromLine, fromColumn, ...limits }, signal)
      if (answer.ok) seen.set(path, answer.value)
      return observe(answer, (file) => show(file, lines))
    },
  })
}

function show(file: ReadAnswer, lines: number): Omit<ToolResult, 'ok'> {
  const value = factsOf(file)
  if (file.binary !== undefined)
    return { text: `${file.path}: binary file (${file.binary}), ${file.bytes} bytes; not shown`, value }
  if (file.lastLine === 0) return { text: `${file.path}: the file is empty (0 bytes)`, value }
  const where = `lines ${file.firstLine}-${file.lastLine} of ${file.totalLines}, ${file.bytes} bytes`
  const header = `${file.path}: ${where}${inBrackets(file.remarks)}${goOn(file)}`
  const cut = file.next !== undefined && file.lastLine - file.firstLine + 1 < lines
  return { text: `${header}\n${file.text}`, value, ...(cut || file.longLine !== undefined ? { truncated: true } : {}) }
}

function goOn({ next, longLine }: ReadAnswer): string {
  if (next === undefined) return ''
  if (longLine === undefined) return `; go on with from_line ${next.line}`
  return `; the line has ${longLine} characters and is cut: go on with from_line ${next.line} and from_column ${next.column}`
}

import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { callInside, factsOf, inBrackets, observe } from './call-inside.ts'
import { tool } from './define.ts'
import { fileFingerprint } from './file-fingerprint.ts'
import type { Change, EditAnswer } from './inside/request.ts'
import type { Place } from './place.ts'
import { seenIn } from './seen.ts'
import type { Tool } from './tool.ts'

const input = z.object({
  path: z.string().describe('Path of the file, relative to the workspace.'),
  old_text: z
    .string()
    .describe('The text to be replaced, exactly as it stands in the file, with enough of it to be unique.'),
  new_text: z.string().describe('The text that takes its place. Empty: the old text is removed.'),
  replace_all: z.boolean().optional().describe('True: replace every occurrence. Default: it must occur once.'),
})

/**
 * Replaces a text in a file. A file that was read in this run must not have changed since; one that was not may be edited
 * all the same, since the old text has to match.
 */
export function editFile(place: Place): Tool {
  const seen = seenIn(place.view)
  return tool({
    name: 'edit',
    description:
      'Replaces a text in a file of the workspace. Both texts are taken literally. Line ends, permissions and everything else of the file stay as they are.',
    input,
    effects: 'write',
    fingerprint: ({ path }) => fileFingerprint(place.view, path),
    async run({ path, old_text: oldText, new_text: newText, replace_all: replaceAll = false }, { signal }) {
      const hash = seen.get(path)
      const what = { path, oldText, newText, replaceAll, ...(hash === undefined ? {} : { seen: hash }) }
      const answer = await callInside(place, { operation: 'edit', ...what }, signal)
      if (answer.ok) seen.set(path, answer.value)
      return observe(answer, show)
    },
  })
}

function show(file: EditAnswer): Omit<ToolResult, 'ok'> {
  const times = file.replaced === 1 ? '' : ` in ${file.replaced} places`
  const lines = [`${file.path}: edited${times}${inBrackets(file.remarks)}`]
  for (const change of file.changes) lines.push(describe(change, file.totalLines), ...change.context)
  const hidden = file.replaced - file.changes.length
  if (hidden > 0) lines.push(`[${hidden} more places are not shown]`)
  return { text: lines.join('\n'), files: [file.path], value: factsOf(file) }
}

function describe({ line, removed, added, contextFrom, context }: Change, totalLines: number): string {
  const many = (count: number) => (count === 1 ? '1 line' : `${count} lines`)
  const what =
    removed === 1 && added === 1 ? `line ${line} changed` : `from line ${line}, ${many(removed)} became ${many(added)}`
  if (context.length === 0) return `${what}; the file is empty now`
  return `${what}; lines ${contextFrom}-${contextFrom + context.length - 1} of ${totalLines} now read:`
}

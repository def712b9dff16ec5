import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { callInside, observe } from './call-inside.ts'
import { tool } from './define.ts'
import type { ListAnswer } from './inside/request.ts'
import type { Place } from './place.ts'
import type { Tool } from './tool.ts'

const MAX_ENTRIES = 500
const ANY_DEPTH = 1_000

const input = z.object({
  path: z.string().optional().describe('Folder, relative to the workspace. Default: the workspace.'),
  depth: z.int().min(1).optional().describe('How many levels of folders to show. Default: all.'),
})

/** Names what is in a folder and below it. Links are shown with their target and not followed. */
export function listFiles(place: Place): Tool {
  return tool({
    name: 'list_files',
    description:
      'Lists the files and folders below a folder of the workspace, sorted. Folders end with "/", links are shown as "name -> target".',
    input,
    effects: 'read',
    async run({ path = '.', depth = ANY_DEPTH }, { signal }) {
      const answer = await callInside(place, { operation: 'list', path, depth, maxEntries: MAX_ENTRIES }, signal)
      return observe(answer, (found) => show(path, found))
    },
  })
}

function show(path: string, { entries, more, notes }: ListAnswer): Omit<ToolResult, 'ok'> {
  const lines = entries.length === 0 ? [`${path}: the folder is empty`] : [...entries]
  if (more) lines.push(`[only the ${MAX_ENTRIES} nearest entries are shown; list a folder below, or use depth]`)
  for (const note of notes) lines.push(`[${note}]`)
  return { text: lines.join('\n'), value: entries, ...(more ? { truncated: true } : {}) }
}

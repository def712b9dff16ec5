import { z } from 'zod'
import type { ToolResult } from '../core/call.ts'
import { callInside, observe } from './call-inside.ts'
import { tool } from './define.ts'
import type { SearchAnswer } from './inside/request.ts'
import type { Place } from './place.ts'
import type { Tool } from './tool.ts'

const MAX_MATCHES = 100
const SEARCH_MILLISECONDS = 5_000

const input = z.object({
  pattern: z.string().describe('Text to look for, in one line.'),
  regex: z
    .boolean()
    .optional()
    .describe('True: the pattern is a regular expression of JavaScript. Default: plain text.'),
  ignore_case: z.boolean().optional().describe('True: upper and lower case are the same. Default: false.'),
  path: z.string().optional().describe('Folder or file to search, relative to the workspace. Default: the workspace.'),
  files: z
    .string()
    .optional()
    .describe('Only files that fit, with * ** and ?: "*.py", or "src/**/*.ts" for whole paths.'),
})

/** Finds lines in the files of the workspace. */
export function searchFiles(place: Place): Tool {
  return tool({
    name: 'search_files',
    description: `Finds lines of text in the files of the workspace: at most ${MAX_MATCHES}, as "path:line: text". Says what was skipped.`,
    input,
    effects: 'read',
    async run({ pattern, regex = false, ignore_case: ignoreCase = false, path = '.', files }, { signal }) {
      const what = { pattern, regex, ignoreCase, path, ...(files === undefined ? {} : { files }) }
      const limits = { maxMatches: MAX_MATCHES, timeLimit: SEARCH_MILLISECONDS }
      const answer = await callInside(place, { operation: 'search', ...what, ...limits }, signal)
      return observe(answer, show)
    },
  })
}

function show({ matches, filesSearched, more, timedOut, notes }: SearchAnswer): Omit<ToolResult, 'ok'> {
  const files = filesSearched === 1 ? '1 file' : `${filesSearched} files`
  const found = matches.length === 1 ? '1 matching line' : `${matches.length} matching lines`
  const head = `${matches.length === 0 ? 'no matching lines' : found} in ${files}`
  const lines = [head, ...matches.map(({ path, line, text }) => `${path}:${line}: ${text}`)]
  if (more) lines.push(`[there are more than ${MAX_MATCHES}: narrow the pattern, path or files]`)
  if (timedOut)
    lines.push(
      `[stopped after ${SEARCH_MILLISECONDS / 1000} seconds: not everything was searched; use a simpler pattern or a narrower path]`,
    )
  for (const note of notes) lines.push(`[skipped ${note}]`)
  const value = matches.map(({ path, line, text }) => ({ path, line, text }))
  return { text: lines.join('\n'), value, ...(more || timedOut ? { truncated: true } : {}) }
}

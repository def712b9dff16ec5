import { z } from 'zod'
import { callInside, factsOf, inBrackets, observe } from './call-inside.ts'
import { tool } from './define.ts'
import { fileFingerprint } from './file-fingerprint.ts'
import type { Place } from './place.ts'
import { seenIn } from './seen.ts'
import type { Tool } from './tool.ts'

const input = z.object({
  path: z.string().describe('Path of the file, relative to the workspace. Missing folders are made.'),
  content: z.string().describe('The whole content of the file.'),
})

/** Writes a whole file. An existing one must have been read in this run and not have changed since. */
export function writeFile(place: Place): Tool {
  const seen = seenIn(place.view)
  return tool({
    name: 'write_file',
    description:
      'Writes a whole file of the workspace: a new one, or in place of one that was read before. To change a part of a file, use edit.',
    input,
    effects: 'write',
    fingerprint: ({ path }) => fileFingerprint(place.view, path),
    async run({ path, content }, { signal }) {
      const hash = seen.get(path)
      const what = { path, text: content, ...(hash === undefined ? {} : { seen: hash }) }
      const answer = await callInside(place, { operation: 'write', ...what }, signal)
      if (answer.ok) seen.set(path, answer.value)
      return observe(answer, (file) => ({
        text: `${file.path}: ${file.created ? 'created' : 'replaced'}, ${file.bytes} bytes${inBrackets(file.remarks)}`,
        files: [file.path],
        value: factsOf(file),
      }))
    },
  })
}

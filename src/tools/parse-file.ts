import { z } from 'zod'
import { describeError } from '../core/error.ts'
import type { View } from '../sandbox/sandbox.ts'
import { type Ask, metered } from './ask.ts'
import { mapAtMost } from './at-most.ts'
import { tool } from './define.ts'
import { readDocument } from './document/document.ts'
import type { ReadableText } from './document/reading.ts'
import { remembering } from './remembering.ts'
import { seeing } from './seeing.ts'
import { sharesOf } from './shares.ts'
import type { Tool } from './tool.ts'
import { joined, type Part } from './web/joined.ts'
import { loadWorkspaceFile } from './workspace-file.ts'

/** Characters that are shown at once, of all files of a call together. */
const ROOM = 20_000
const MOST_FILES = 20
const AT_ONCE = 2
const TEN_MINUTES = 600_000

const KINDS =
  'PDF, Word (docx), PowerPoint (pptx), Excel (xlsx, xls), CSV, TSV, JSON, JSONL, XML, HTML, Markdown, plain text, ZIP'

const path = z.string().trim().min(1)
const input = z.object({
  files: z
    .union([path, z.array(path).min(1).max(MOST_FILES)])
    .transform((given) => [...new Set(typeof given === 'string' ? [given] : given)])
    .describe('Path of a file, relative to the workspace, or a list of them.'),
  from: z.int().min(1).optional().describe('First character to show, to go on in a long file. With one file only.'),
})

export interface ParseFileOptions {
  readonly view: View
  /** A second model, one that sees: it describes pictures. Without it they are told by their kind and size. */
  readonly ask?: Ask
}

/** Reads documents of the workspace as text. One that cannot be read does not spoil the others. */
export function parseFile({ view, ask }: ParseFileOptions): Tool {
  const remembered = remembering()
  const unread = `${ask === undefined ? 'Pictures, sound' : 'Of pictures you are given a description. Sound'} and video cannot be read.`
  return tool({
    name: 'parse_file',
    description: `Reads documents of the workspace as text: ${KINDS}. Of a large table it shows what each column holds, with samples; of a ZIP what is in it. What does not fit is cut, and you are told how to go on. ${unread}`,
    input,
    effects: 'read',
    timeLimit: TEN_MINUTES,
    async run({ files, from = 1 }, { signal }) {
      if (from > 1 && files.length > 1)
        return { ok: false, text: '"from" goes with one file: name the one that you want to go on with.' }
      const second = ask && metered(ask)
      const read = second === undefined ? readDocument : seeing(second.ask)
      const readings = await mapAtMost(AT_ONCE, files, (file) =>
        attempt(() => remembered(loadWorkspaceFile(view, file), (source) => read(source, signal)), signal),
      )
      const lengths = readings.map((reading) => (reading.ok ? Math.max(0, reading.value.text.length - from + 1) : 0))
      const shares = sharesOf(lengths, ROOM)
      const parts = files.map((file, at) => partOf(file, readings[at], { from, room: shares[at] ?? 0 }))
      return { ...joined(parts), ...second?.spent() }
    },
  })
}

type Reading = { readonly ok: true; readonly value: ReadableText } | { readonly ok: false; readonly problem: string }

async function attempt(work: () => Promise<ReadableText>, signal: AbortSignal): Promise<Reading> {
  try {
    return { ok: true, value: await work() }
  } catch (error) {
    signal.throwIfAborted()
    return { ok: false, problem: describeError(error) }
  }
}

interface Window {
  /** From 1. */
  readonly from: number
  readonly room: number
}

function partOf(file: string, reading: Reading | undefined, window: Window): Part {
  if (!reading?.ok) {
    const problem = reading?.problem ?? ''
    return { ok: false, text: `${file} was not read. ${problem}`, value: { file, problem } }
  }
  const { title, text } = reading.value
  const value = { file, characters: text.length }
  if (window.from > Math.max(text.length, 1))
    return { ok: false, text: `${file} has ${text.length} characters as text.`, value }
  const end = endOf(text, window)
  const header = `# ${file}: ${rangeOf(window.from, end, text.length)}${title === undefined ? '' : `\nTitle: ${title}`}`
  return { ok: true, text: `${header}\n\n${text.slice(window.from - 1, end)}`, value }
}

/** Before a character that would be split in two halves. */
function endOf(text: string, { from, room }: Window): number {
  const end = Math.min(from - 1 + room, text.length)
  const last = text.charCodeAt(end - 1)
  return end < text.length && last >= 0xd800 && last <= 0xdbff ? end - 1 : end
}

function rangeOf(from: number, end: number, total: number): string {
  if (from === 1 && end === total) return `${total} characters`
  return `characters ${from}-${end} of ${total}${end === total ? '' : `; go on with from ${end + 1}`}`
}

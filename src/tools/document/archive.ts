import { describeError } from '../../core/error.ts'
import { decodeText } from './decode.ts'
import { kindOf, pictureIn } from './kind.ts'
import type { ReadableText, ReadOrder } from './reading.ts'
import { type Entry, unpack } from './zip.ts'

type Read = (order: ReadOrder) => Promise<ReadableText>

/** What is in an archive: a list of its entries, then the text of each that can be read. Archives in it stay closed. */
export async function archiveToText(bytes: Uint8Array, read: Read): Promise<ReadableText> {
  const { entries, files } = unpack(bytes, (entry) => whyNotRead(entry) === undefined)
  const parts: string[] = []
  const list: string[] = []
  for (const entry of entries) {
    const content = files.get(entry.name)
    const shown = content === undefined ? undefined : await readEntry(entry, content, read)
    const why = shown?.ok === false ? shown.why : whyNotRead(entry)
    list.push(`- ${entry.name} (${entry.size} bytes)${why === undefined ? '' : `: not read, ${why}`}`)
    if (shown?.ok) parts.push(`## ${entry.name}\n\n${shown.text}`)
  }
  return { text: [`Archive with ${entries.length} entries:\n${list.join('\n')}`, ...parts].join('\n\n') }
}

function whyNotRead({ name }: Entry): string | undefined {
  if (/^(?:[/\\]|[a-z]:)|(?:^|[/\\])\.\.(?:[/\\]|$)|\0/i.test(name)) return 'its name leads out of the archive'
  if (name.endsWith('/')) return 'it is a folder'
  return /\.(?:zip|jar|7z|rar|gz|tgz|bz2|xz|zst|tar)$/i.test(name) ? 'it is an archive itself' : undefined
}

type Shown = { readonly ok: true; readonly text: string } | { readonly ok: false; readonly why: string }

/** One that cannot be read does not spoil the others. */
async function readEntry({ name }: Entry, bytes: Uint8Array, read: Read): Promise<Shown> {
  const kind = pictureIn(bytes) === undefined ? kindOf({ bytes, name }) : undefined
  if (kind === undefined) return { ok: false, why: `it is ${pictureIn(bytes)?.name ?? 'of a kind that is not read'}` }
  if (kind === 'zip') return { ok: false, why: 'it is an archive itself' }
  if (kind === 'text') return { ok: true, text: decodeText({ bytes }) }
  try {
    return { ok: true, text: (await read({ kind, bytes })).text }
  } catch (error) {
    return { ok: false, why: describeError(error) }
  }
}

import type { DocumentSource } from './document/document.ts'
import type { ReadableText } from './document/reading.ts'

/** Characters that are kept of all documents together, the least recently used forgotten first. */
const MOST_KEPT = 16_000_000

type Read = (source: DocumentSource) => Promise<ReadableText>

/**
 * Reads each content once, whatever it is called and however often it is asked for; a file that changed is another content.
 * What failed is not kept. The ending of the name is part of what is remembered, since it decides how bytes are read.
 */
export function remembering(): (
  source: DocumentSource & { readonly name: string; readonly sha256: string },
  read: Read,
) => Promise<ReadableText> {
  const kept = new Map<string, ReadableText>()
  return async ({ sha256, ...source }, read) => {
    const key = `${sha256} ${source.name.slice(source.name.lastIndexOf('.')).toLowerCase()}`
    const text = kept.get(key) ?? (await read(source))
    kept.delete(key)
    kept.set(key, text)
    forgetOldest(kept)
    return text
  }
}

function forgetOldest(kept: Map<string, ReadableText>): void {
  let size = 0
  for (const { text } of kept.values()) size += text.length
  for (const [key, { text }] of kept) {
    if (size <= MOST_KEPT) return
    size -= text.length
    kept.delete(key)
  }
}

import { TextDecoder } from 'node:util'

/** What is looked at for a page's own word about its encoding, as browsers do. */
const LOOKED_AT = 1_024

/** Text of bytes: by their byte order mark, by the header, by the page's own word, else UTF-8. Never throws. */
export function decodeText({
  bytes,
  contentType = '',
}: {
  readonly bytes: Uint8Array
  readonly contentType?: string
}): string {
  const start = Buffer.from(bytes.subarray(0, LOOKED_AT)).toString('latin1')
  const said = markOf(start) ?? labelIn(contentType) ?? labelIn(start.match(/<meta[^>]+charset[^>]*>/i)?.[0] ?? '')
  return decoderFor(said ?? 'utf-8').decode(bytes)
}

function markOf(start: string): string | undefined {
  if (start.startsWith('\xef\xbb\xbf')) return 'utf-8'
  if (start.startsWith('\xff\xfe')) return 'utf-16le'
  return start.startsWith('\xfe\xff') ? 'utf-16be' : undefined
}

const labelIn = (text: string): string | undefined => /charset\s*=\s*["']?\s*([\w.:-]{1,40})/i.exec(text)?.[1]

function decoderFor(label: string): TextDecoder {
  try {
    return new TextDecoder(label)
  } catch {
    return new TextDecoder()
  }
}

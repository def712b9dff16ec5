import type { Captured } from './sandbox.ts'

/** Takes a stream of bytes of any length and keeps its beginning and its end. */
export interface Capture {
  push(chunk: Uint8Array): void
  /** Bytes seen so far. */
  readonly bytes: number
  /** Decodes what was kept. */
  finish(): Captured
}

/** `keep`: bytes kept at most, half of them from each end. */
export function capture(keep: number): Capture {
  const headSize = Math.ceil(keep / 2)
  const tailSize = keep - headSize
  const head: Uint8Array[] = []
  const tail: Uint8Array[] = []
  let headBytes = 0
  let tailBytes = 0
  let bytes = 0

  function keepTail(chunk: Uint8Array): void {
    tail.push(chunk)
    tailBytes += chunk.length
    while (tail[0] !== undefined && tailBytes - tail[0].length >= tailSize) tailBytes -= tail.shift()?.length ?? 0
  }

  return {
    push(chunk) {
      bytes += chunk.length
      const toHead = chunk.subarray(0, headSize - headBytes)
      if (toHead.length > 0) head.push(toHead)
      headBytes += toHead.length
      // Copied: a small piece must not hold on to the large buffer that it came in.
      if (chunk.length > toHead.length && tailSize > 0) keepTail(chunk.subarray(toHead.length).slice(-tailSize))
    },
    get bytes() {
      return bytes
    },
    finish() {
      const first = Buffer.concat(head)
      const last = Buffer.concat(tail).subarray(Math.max(0, tailBytes - tailSize))
      return decode(first, last, bytes)
    },
  }
}

function decode(first: Uint8Array, last: Uint8Array, bytes: number): Captured {
  const leftOut = bytes - first.length - last.length
  if (leftOut <= 0) {
    const decoder = new TextDecoder('utf-8', { ignoreBOM: true })
    return { text: decoder.decode(first, { stream: true }) + decoder.decode(last), bytes, truncated: false }
  }
  // A character that the cut went through is left out whole on both sides.
  const before = new TextDecoder('utf-8', { ignoreBOM: true }).decode(first, { stream: true })
  const after = new TextDecoder('utf-8', { ignoreBOM: true }).decode(last.subarray(brokenStart(last)))
  return { text: `${before}\n[… ${leftOut} bytes left out …]\n${after}`, bytes, truncated: true }
}

/** How many bytes at the beginning belong to a character whose first byte is missing. */
function brokenStart(bytes: Uint8Array): number {
  let i = 0
  while (i < 3 && i < bytes.length && ((bytes[i] ?? 0) & 0xc0) === 0x80) i++
  return i
}

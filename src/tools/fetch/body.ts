import type { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { createBrotliDecompress, createGunzip } from 'node:zlib'
import { FetchError } from './fetch-error.ts'
import { type FetchLimits, RATIO_FROM } from './fetch-limits.ts'

/** What the broker says it can read. No other encoding is taken. */
export const ACCEPTED_ENCODINGS = 'gzip, br'

export interface BodyOptions {
  /** The header `Content-Encoding`. */
  readonly encoding: string | undefined
  readonly limits: FetchLimits
  readonly signal: AbortSignal
  /** Told of each piece as it arrives. */
  readonly onPiece: () => void
}

/**
 * Reads a body to its end, decompressed. What it becomes is looked at while it streams: 80 bytes of brotli can be 50 MB.
 * Rejects with a `FetchError` that names the limit; then nothing more is read.
 */
export async function readBody(body: Readable, options: BodyOptions): Promise<Uint8Array> {
  const { limits, signal, onPiece } = options
  const decoder = decoderFor(options.encoding)
  const pieces: Uint8Array[] = []
  let arrived = 0
  let expanded = 0
  async function* count(source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      onPiece()
      arrived += piece.length
      if (arrived > limits.bytes) throw tooLarge(`more than ${limits.bytes} bytes (limit "bytes")`)
      yield piece
    }
  }
  async function collect(source: AsyncIterable<Uint8Array>) {
    for await (const piece of source) {
      pieces.push(piece)
      expanded += piece.length
      if (decoder !== undefined) expectBounded(arrived, expanded, limits)
    }
  }
  try {
    if (decoder === undefined) await pipeline(body, count, collect, { signal })
    else await pipeline(body, count, decoder, collect, { signal })
  } catch (error) {
    throw isBroken(error) ? new FetchError('unreadable', 'The answer is compressed, and broken.', error) : error
  }
  return Buffer.concat(pieces)
}

function decoderFor(encoding: string | undefined) {
  const name = encoding?.trim().toLowerCase() ?? ''
  if (name === '' || name === 'identity') return undefined
  if (name === 'gzip' || name === 'x-gzip') return createGunzip()
  if (name === 'br') return createBrotliDecompress()
  throw new FetchError('unreadable', `The answer is encoded as "${name.slice(0, 40)}", which was not asked for.`)
}

function expectBounded(arrived: number, expanded: number, limits: FetchLimits): void {
  if (expanded > limits.expanded)
    throw tooLarge(`more than ${limits.expanded} bytes after decompression (limit "expanded")`)
  if (expanded > RATIO_FROM && expanded > arrived * limits.ratio)
    throw tooLarge(`more than ${limits.ratio} times its size after decompression (limit "ratio")`)
}

const tooLarge = (what: string): FetchError => new FetchError('limit', `The answer has ${what}.`)

/** Codes of zlib and of brotli. */
const isBroken = (error: unknown): boolean =>
  error instanceof Error && 'code' in error && /^(Z_|ERR_BROTLI|ERR__ERROR|BROTLI)/.test(String(error.code))

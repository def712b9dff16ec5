import { decodeText } from './decode.ts'
import { DocumentError } from './document-error.ts'
import { kindOf, type Label, pictureIn } from './kind.ts'
import { DEFAULT_READ_LIMITS, type ReadLimits, readInThread } from './reader.ts'
import type { ReadableText } from './reading.ts'

export interface DocumentSource extends Label {
  readonly bytes: Uint8Array
  /** Where it comes from: links in it are made whole with that. */
  readonly url?: string
}

/**
 * Reads a document. What is more than plain text is read in a thread without environment and within limits, since whoever wrote
 * it may want to hold us up. Rejects with a `DocumentError`, or with the signal's reason when it is aborted.
 */
export async function readDocument(
  source: DocumentSource,
  signal: AbortSignal,
  limits: Partial<ReadLimits> = {},
): Promise<ReadableText> {
  if (pictureIn(source.bytes) !== undefined)
    throw new DocumentError('unsupported', `It is ${await describePicture(source.bytes, signal)}${UNSEEN}`)
  const kind = kindOf(source)
  if (kind === undefined) throw new DocumentError('unsupported', `It is ${describeKind(source)}.`)
  if (kind === 'text') return { text: decodeText(source) }
  const { bytes, contentType, url } = source
  const order = {
    ...{ kind, bytes },
    ...(contentType === undefined ? {} : { contentType }),
    ...(url === undefined ? {} : { url }),
  }
  const answer = await readInThread(order, signal, { ...DEFAULT_READ_LIMITS, ...limits })
  if (answer.ok) return answer.value
  if (answer.isLimit) throw new DocumentError('limit', answer.problem)
  throw new DocumentError('broken', `It could not be read: ${answer.problem}.`)
}

/** Bytes in which a picture says how large it is; a crafted one could hold up the reader with more. */
const PICTURE_HEAD = 1 << 20

/** What can be told of a picture without seeing it, as in `a PNG picture, 640 × 480 pixels, 12345 bytes`. */
export async function describePicture(bytes: Uint8Array, signal: AbortSignal): Promise<string> {
  const beginning = bytes.slice(0, PICTURE_HEAD)
  const size = await readInThread({ kind: 'picture', bytes: beginning }, signal, DEFAULT_READ_LIMITS)
  const parts = [pictureIn(bytes)?.name, ...(size.ok ? [size.value.text] : []), `${bytes.length} bytes`]
  return parts.join(', ')
}

/** No protocol shows a model pictures. */
const UNSEEN = '; you are shown text only, so nothing is known of what is on it.'

const describeKind = ({ contentType }: Label): string =>
  `${contentType ?? 'of an unknown kind'}, which cannot be read as text`

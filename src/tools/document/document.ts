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
  const picture = pictureIn(source.bytes)
  if (picture !== undefined) throw new DocumentError('unsupported', `It is ${picture}${UNSEEN}`)
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

/** No protocol shows a model pictures. */
const UNSEEN = '; you are shown text only, so nothing is known of what is on it.'

const describeKind = ({ contentType }: Label): string =>
  `${contentType ?? 'of an unknown kind'}, which cannot be read as text`

/** How a document is read. */
export type DocumentKind = 'html' | 'pdf' | 'docx' | 'pptx' | 'sheet' | 'table' | 'json' | 'zip' | 'text' | 'picture'

/** What is known of a document beside its bytes. */
export interface Label {
  /** The header `Content-Type`, where there is one. */
  readonly contentType?: string
  /** The name of a file. Where there is one, it decides before the header does. */
  readonly name?: string
}

const TEXTS =
  /^(?:text\/.+|application\/(?:json|xml|yaml|x-yaml|javascript|x-ndjson|ld\+json|sql|rtf|.+\+(?:json|xml)))$/

/** By the name of the file; without one by what the server says, and where it says nothing, by how the bytes begin. Undefined for what cannot be read as text. */
export function kindOf({
  bytes,
  contentType = '',
  name,
}: Label & { readonly bytes: Uint8Array }): DocumentKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 1024)).toString('latin1')
  const type = contentType.split(';', 1)[0]?.trim().toLowerCase() ?? ''
  // PDFs are served under many names, and never begin by accident as they do.
  if (type === 'application/pdf' || start.startsWith('%PDF-')) return 'pdf'
  if (name !== undefined) return kindByName(name, start)
  if (type === 'text/html' || type === 'application/xhtml+xml') return 'html'
  if (TEXTS.test(type)) return type === 'text/plain' && looksLikeHtml(start) ? 'html' : 'text'
  if (type !== '' && type !== 'application/octet-stream') return undefined
  if (looksLikeHtml(start)) return 'html'
  return start.includes('\0') ? undefined : 'text'
}

/** Archives and office documents are read only where a name says so: nothing of the web is unpacked. */
const BY_ENDING: ReadonlyMap<string, DocumentKind> = new Map([
  ['pdf', 'pdf'],
  ['docx', 'docx'],
  ['pptx', 'pptx'],
  ['xlsx', 'sheet'],
  ['xlsm', 'sheet'],
  ['xls', 'sheet'],
  ['csv', 'table'],
  ['tsv', 'table'],
  ['json', 'json'],
  ['jsonl', 'json'],
  ['ndjson', 'json'],
  ['html', 'html'],
  ['htm', 'html'],
  ['xhtml', 'html'],
  ['zip', 'zip'],
])

function kindByName(name: string, start: string): DocumentKind | undefined {
  const known = BY_ENDING.get(/\.([^./]+)$/.exec(name)?.[1]?.toLowerCase() ?? '')
  if (known !== undefined) return known
  return start.includes('\0') && !/^(?:\xff\xfe|\xfe\xff)/.test(start) ? undefined : 'text'
}

const looksLikeHtml = (start: string): boolean => /^(?:\xef\xbb\xbf)?\s*(?:<!doctype html|<html)/i.test(start)

/** A kind of picture. */
export interface PictureKind {
  readonly name: string
  /** Of the kinds that models which see can be sent. */
  readonly mediaType?: string
}

const PICTURES: readonly (readonly [start: RegExp, kind: PictureKind])[] = [
  [/^\x89PNG/, { name: 'a PNG picture', mediaType: 'image/png' }],
  [/^\xff\xd8\xff/, { name: 'a JPEG picture', mediaType: 'image/jpeg' }],
  [/^GIF8/, { name: 'a GIF picture', mediaType: 'image/gif' }],
  [/^RIFF[\s\S]{4}WEBP/, { name: 'a WebP picture', mediaType: 'image/webp' }],
  [/^BM[\s\S]{12}\(/, { name: 'a BMP picture' }],
  [/^(?:II\*\0|MM\0\*)/, { name: 'a TIFF picture' }],
]

/** What kind of picture it is; undefined for anything else. */
export function pictureIn(bytes: Uint8Array): PictureKind | undefined {
  const start = Buffer.from(bytes.subarray(0, 16)).toString('latin1')
  return PICTURES.find(([pattern]) => pattern.test(start))?.[1]
}

/** What the host asks of the program in this folder, one request a start. Paths are as the model wrote them. */
export type Request =
  | ({ readonly operation: 'read' } & ReadRequest)
  | ({ readonly operation: 'list' } & ListRequest)
  | ({ readonly operation: 'search' } & SearchRequest)
  | ({ readonly operation: 'edit' } & EditRequest)
  | ({ readonly operation: 'write' } & WriteRequest)

export interface ReadRequest {
  readonly path: string
  /** Counts from 1. */
  readonly fromLine: number
  /** Counts from 1, in characters of the first line shown. */
  readonly fromColumn: number
  readonly lines: number
  readonly maxCharacters: number
}

export interface ListRequest {
  readonly path: string
  /** 1: only the folder itself. */
  readonly depth: number
  readonly maxEntries: number
}

export interface SearchRequest {
  readonly path: string
  readonly pattern: string
  readonly regex: boolean
  readonly ignoreCase: boolean
  /** Only files whose name (or path, where it has a slash) fits this pattern with `*`, `**` and `?`. */
  readonly files?: string
  readonly maxMatches: number
  /** Milliseconds. */
  readonly timeLimit: number
}

export interface EditRequest {
  readonly path: string
  readonly oldText: string
  readonly newText: string
  readonly replaceAll: boolean
  /** SHA-256 the file must still have; undefined when nobody has read it. */
  readonly seen?: string
}

export interface WriteRequest {
  readonly path: string
  readonly text: string
  /** SHA-256 an existing file must still have; undefined when nobody has read it. */
  readonly seen?: string
}

/** `problem` is one sentence for the model; the call had no effect. */
export type Answer<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly problem: string }

/** The file that was really opened: relative to the workspace, links followed. */
export interface OpenedFile {
  readonly path: string
  readonly bytes: number
  /** SHA-256 of the whole file, in hexadecimal. */
  readonly sha256: string
}

export interface ReadAnswer extends OpenedFile {
  /** What kind of binary file it is; then there is no text. */
  readonly binary?: string
  readonly text: string
  readonly firstLine: number
  /** 0 for an empty file. */
  readonly lastLine: number
  readonly totalLines: number
  /** Where to go on, when not all was shown. */
  readonly next?: { readonly line: number; readonly column: number }
  /** Length of the line that did not fit, in characters. */
  readonly longLine?: number
  /** What a reader of the text cannot see: a byte order mark, CRLF, bytes that are no UTF-8. */
  readonly remarks: readonly string[]
}

export interface ListAnswer {
  readonly entries: readonly string[]
  readonly more: boolean
  readonly notes: readonly string[]
}

export interface SearchAnswer {
  readonly matches: readonly { readonly path: string; readonly line: number; readonly text: string }[]
  readonly filesSearched: number
  readonly more: boolean
  readonly timedOut: boolean
  readonly notes: readonly string[]
}

export interface EditAnswer extends OpenedFile {
  /** The first changes, in the lines of the file as it is now; `removed` and `added` count lines. */
  readonly changes: readonly Change[]
  readonly replaced: number
  readonly totalLines: number
  readonly remarks: readonly string[]
}

export interface Change {
  readonly line: number
  readonly removed: number
  readonly added: number
  /** Lines around the change, as they are now. */
  readonly contextFrom: number
  readonly context: readonly string[]
}

export interface WriteAnswer extends OpenedFile {
  readonly created: boolean
  readonly remarks: readonly string[]
}

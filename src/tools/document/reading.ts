import type { DocumentKind } from './kind.ts'

/** A document as text that a model can read: Markdown of a page, pages of a PDF one after the other, or the text itself. */
export interface ReadableText {
  readonly title?: string
  readonly text: string
}

/** What a thread is asked to read. */
export interface ReadOrder {
  readonly kind: Exclude<DocumentKind, 'text'>
  readonly bytes: Uint8Array
  readonly contentType?: string
  readonly url?: string
}

export type ReadAnswer =
  | { readonly ok: true; readonly value: ReadableText }
  /** Half a sentence; for a limit a whole one. */
  | { readonly ok: false; readonly problem: string; readonly isLimit: boolean }

/** What a call did to the working copy. With those before it, it says what the whole copy was like then. */
export interface FilesChanged {
  readonly kind: 'files.changed'
  readonly call: string
  /** What differs from the snapshot before, or from the start; by path. */
  readonly files: readonly SnapshotFile[]
  /** Why it could not be looked at; what changed is then in the next snapshot that can be made. */
  readonly problem?: string
}

/** What stands at a path of the working copy. */
export type SnapshotFile = { readonly path: string } & (
  | KeptFile
  | { readonly link: string }
  /** Nothing stands there any more. */
  | { readonly gone: true }
  /** It is again as it was when the run started. */
  | { readonly atStart: true }
)

export interface KeptFile {
  /** The nine permission bits. */
  readonly mode: number
  /** SHA-256 of the content. A text lies under this name in the content store. */
  readonly sha256: string
  /** Where a content that is no text lies, in base64: its name in the content store. */
  readonly base64?: string
  /** Why the content was not kept. */
  readonly lost?: string
}

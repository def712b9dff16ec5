/** Where the working copy lies, so that other commands find it. Paths are absolute, protected ones relative. */
export interface WorkspaceRecord {
  readonly source: string
  readonly copy: string
  readonly protect: readonly string[]
  readonly ignore: readonly string[]
  /** Entries of the source that were not copied, and why. */
  readonly skipped: readonly { readonly path: string; readonly why: string }[]
}

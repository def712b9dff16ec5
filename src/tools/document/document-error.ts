/** `unsupported`: no kind that can be read. `broken`: the document itself is. `limit`: it takes too much time or memory. */
export class DocumentError extends Error {
  override readonly name = 'DocumentError'
  readonly kind: 'unsupported' | 'broken' | 'limit'

  constructor(kind: DocumentError['kind'], message: string) {
    super(message)
    this.kind = kind
  }
}

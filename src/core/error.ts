/**
 * Misuse or a bug. Everything else that can go wrong is an observation (the model can act on it) or an outcome (the run
 * ends and the reason is data). The message says what happened and where; `fix` says what to do next.
 */
export class TaoError extends Error {
  override readonly name = 'TaoError'
  readonly code: string
  readonly fix: string | undefined

  constructor(code: string, message: string, options: { readonly fix?: string; readonly cause?: unknown } = {}) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause })
    this.code = code
    this.fix = options.fix
  }
}

/** Makes one line of text out of anything that can be thrown. Never throws itself. */
export function describeError(thrown: unknown): string {
  if (thrown instanceof Error) return thrown.message || thrown.name
  if (typeof thrown === 'string') return thrown || 'an empty error'
  try {
    return `a thrown ${typeof thrown}: ${JSON.stringify(thrown) ?? String(thrown)}`
  } catch {
    return `a thrown ${typeof thrown} that cannot be shown`
  }
}

import { describeError } from '../core/error.ts'
import { ModelError } from './model.ts'

/** Turns what the HTTP client threw into a `ModelError` that says what happened and what to do. */
export function connectionError(error: unknown, asked: { readonly name: string; readonly url: URL }): ModelError {
  const { name, url } = asked
  const code = codeOf(error)
  if (code === 'ECONNREFUSED')
    return new ModelError('unreachable', `${name}: nothing answers at ${url.origin}.`, {
      fix: `Is the server running at ${url.origin}?`,
      cause: error,
    })
  if (code === 'ENOTFOUND' || code === 'EAI_AGAIN')
    return new ModelError('unreachable', `${name}: the host ${url.hostname} cannot be found.`, {
      fix: `Check the address ${url.origin} and the network.`,
      cause: error,
    })
  if (code === 'UND_ERR_CONNECT_TIMEOUT')
    return new ModelError('timeout', `${name} could not be connected to (time limit "connect").`, { cause: error })
  // The cause is left out: it quotes what came, and what echoes requests echoes keys.
  if (error instanceof Error && error.name === 'HTTPParserError')
    return new ModelError('unreadable', `${name}: ${url.origin} does not answer in HTTP.`, {
      fix: `Check the address ${url.origin}.`,
    })
  if (CERTIFICATE.test(code))
    return new ModelError('refused', `${name}: the certificate of ${url.origin} is not trusted (${code}).`, {
      fix: 'Give Node the certificate with NODE_EXTRA_CA_CERTS, or correct the address.',
      cause: error,
    })
  return new ModelError('unreachable', `${name}: the connection to ${url.origin} broke (${why(code, error)}).`, {
    cause: error,
  })
}

const CERTIFICATE = /CERT|SELF_SIGNED|UNABLE_TO_|ERR_TLS/

const why = (code: string, error: unknown): string => (code === '' ? describeError(error) : code)

/** A failed attempt at several addresses has its codes one level down. */
function codeOf(error: unknown): string {
  if (!(error instanceof Error)) return ''
  if ('code' in error && typeof error.code === 'string') return error.code
  if (error instanceof AggregateError) return codeOf(error.errors[0])
  return codeOf(error.cause)
}

import { oneLine } from '../../core/clip.ts'
import { sleep } from '../../model/abortable.ts'
import type { Broker, Fetched, FetchRequest } from '../fetch/broker.ts'
import { FetchError } from '../fetch/fetch-error.ts'

/** A service on the web that is asked with a key, or at an address of one's own. */
export interface ServiceAccess {
  /** Must be allowed to reach the service's address. */
  readonly broker: Broker
  /** Without a closing slash. Default: the service's own. */
  readonly baseUrl?: string
  readonly key?: string
  readonly retry?: RetryWaits
}

export interface RetryWaits {
  /** Milliseconds before each further attempt; as many attempts follow the first. */
  readonly waits?: readonly number[]
  /** Rejects with the signal's reason when it is aborted. */
  readonly sleep?: (milliseconds: number, signal: AbortSignal) => Promise<void>
}

/** The service did not give what it was asked for. The message is a whole sentence, without the key. */
export class ServiceError extends Error {
  override readonly name = 'ServiceError'
}

/** Five attempts in all, as the original has them; it does not wait. */
const WAITS: readonly number[] = [500, 1_000, 2_000, 4_000]
const LONGEST_WAIT = 10_000
const REQUEST_TIME = 20_000

/**
 * Asks, and asks again after trouble that may pass: no connection, a time limit, too many requests (429), trouble of the
 * service (5xx). Rejects with a `ServiceError`, or with the signal's reason.
 */
export async function askService(
  request: FetchRequest,
  { broker, key, retry = {} }: ServiceAccess,
  signal: AbortSignal,
): Promise<Fetched> {
  const { waits = WAITS, sleep: wait = sleep } = retry
  for (let attempt = 0; ; attempt++) {
    const trouble = await tryOnce({ limits: { total: REQUEST_TIME }, ...request }, broker, signal)
    if ('bytes' in trouble) return trouble
    const pause = waits[attempt]
    if (pause === undefined || !trouble.mayPass) throw new ServiceError(withoutKey(trouble.message, attempt + 1, key))
    await wait(Math.min(Math.max(pause, trouble.after ?? 0), LONGEST_WAIT), signal)
    signal.throwIfAborted()
  }
}

/** The same for an answer in JSON. */
export async function askJson(request: FetchRequest, access: ServiceAccess, signal: AbortSignal): Promise<unknown> {
  const { bytes } = await askService(request, access, signal)
  try {
    return JSON.parse(Buffer.from(bytes).toString()) as unknown
  } catch {
    throw new ServiceError('Its answer is no JSON.')
  }
}

interface Trouble {
  readonly message: string
  readonly mayPass: boolean
  /** Milliseconds that the service asks for. */
  readonly after?: number
}

async function tryOnce(request: FetchRequest, broker: Broker, signal: AbortSignal): Promise<Fetched | Trouble> {
  try {
    const fetched = await broker.fetch(request, signal)
    return fetched.status >= 200 && fetched.status < 300 ? fetched : describeStatus(fetched)
  } catch (error) {
    if (!(error instanceof FetchError)) throw error
    return { message: error.message, mayPass: error.kind === 'unreachable' || error.kind === 'timeout' }
  }
}

function describeStatus({ status, headers, bytes }: Fetched): Trouble {
  const words = oneLine(Buffer.from(bytes.subarray(0, 2_000)).toString(), 200)
  const said = words === '' ? '' : ` It said: ${words}`
  const mayPass = status === 429 || status >= 500
  const after = Number(headers['retry-after']) * 1_000
  const message = `It answered with HTTP status ${status}${MEANINGS.get(status) ?? ''}.${said}`
  return { message, mayPass, ...(Number.isFinite(after) ? { after } : {}) }
}

const MEANINGS: ReadonlyMap<number, string> = new Map([
  [401, ': the key was refused'],
  [402, ': the account has nothing left'],
  [403, ': the key was refused, or the service does not allow this'],
  [429, ': too many requests'],
])

function withoutKey(message: string, attempts: number, key: string | undefined): string {
  const clean = key === undefined ? message : message.replaceAll(key, '[key]')
  return attempts === 1 ? clean : `${clean} (after ${attempts} attempts)`
}

import { oneLine } from '../core/clip.ts'
import { isJsonObject } from '../core/json.ts'
import type { ModelErrorDetails, ModelErrorKind } from './model.ts'
import { ModelError } from './model.ts'

/** What a service answered in place of a reply. */
export interface ServiceAnswer {
  /** HTTP status; an error inside a 200 keeps its 200. */
  readonly status: number
  readonly body: string
  /** The header `retry-after` as it came. */
  readonly retryAfter?: string
}

/** Who was asked, for sentences that say what to do. */
export interface Asked {
  readonly name: string
  /** Undefined where no key is needed. */
  readonly keyVariable: string | undefined
  readonly baseUrl: string
  /** The key that was sent: a service may repeat it, and an error goes to logs and journals. */
  readonly secret?: string
}

const LONGEST_MESSAGE = 400
const LONGEST_BODY = 100_000

/** A body as it may be kept: without the key, and not without end. The key goes first, lest half of it stays. */
export function keptBody(body: string, { secret }: Asked): string {
  const safe = secret === undefined || secret === '' ? body : body.replaceAll(secret, '[key]')
  return safe.slice(0, LONGEST_BODY)
}

/** Turns an answer that is an error into a `ModelError` with the service's own words. */
export function serviceError(answer: ServiceAnswer, asked: Asked, now: number = Date.now()): ModelError {
  const body = keptBody(answer.body, asked)
  const words = serviceWords(body)
  const kind = kindOf(answer.status, body)
  const retryAfterMs = readRetryAfter(answer.retryAfter, now)
  const fix = fixFor(answer.status, body, asked)
  const details: ModelErrorDetails = {
    status: answer.status,
    body,
    ...(retryAfterMs === undefined ? {} : { retryAfterMs }),
    ...(fix === undefined ? {} : { fix }),
  }
  const said = words === '' ? 'with no message' : words
  return new ModelError(kind, `${asked.name} answered ${answer.status}: ${said}`, details)
}

const USED_UP =
  /insufficient[_ ](?:quota|balance|credit|funds)|quota (?:is )?exceeded|exceeded your (?:current|monthly) (?:quota|usage)|usage limit|billing/i
const OVERLOADED = /rate.?limit|overloaded|too many requests|server_error|internal_error|unavailable|timed? ?out/i

function kindOf(status: number, body: string): ModelErrorKind {
  // An empty account answers 429 like a busy service does, but waiting never helps.
  if (status === 402 || (status === 429 && USED_UP.test(body))) return 'refused'
  if (status === 429 || status === 408 || status === 409 || status >= 500) return 'overloaded'
  if (status < 400) return kindInside(body)
  return 'refused'
}

/** An error that came under status 200: its code says more than the status. */
function kindInside(body: string): ModelErrorKind {
  const code = errorCode(body)
  if (code !== undefined && code >= 400 && code < 600) return kindOf(code, body)
  return !USED_UP.test(body) && OVERLOADED.test(body) ? 'overloaded' : 'refused'
}

function errorCode(body: string): number | undefined {
  const whole = parsed(body)
  const inner = isJsonObject(whole) && isJsonObject(whole.error) ? whole.error : whole
  if (!isJsonObject(inner)) return undefined
  const code = Number(inner.code ?? inner.status)
  return Number.isInteger(code) ? code : undefined
}

/** The message in a body of any known shape, in one line; the beginning of the body where the shape is not known. */
export function serviceWords(body: string): string {
  const value = parsed(body)
  const found = value === undefined ? undefined : messageIn(value)
  return oneLine(found ?? withoutMarkup(body.slice(0, 10 * LONGEST_MESSAGE)), LONGEST_MESSAGE)
}

/** Gateways answer in HTML. */
const withoutMarkup = (text: string): string => text.replaceAll(/<(style|script)\b[\s\S]*?<\/\1>|<[^>]*>/g, ' ')

function messageIn(value: unknown): string | undefined {
  if (typeof value === 'string') return value
  if (Array.isArray(value)) return value.map(messageIn).filter(Boolean).join('; ') || undefined
  if (!isJsonObject(value)) return undefined
  for (const key of ['error', 'message', 'detail', 'msg', 'errors']) {
    const found = messageIn(value[key])
    if (found !== undefined && found !== '') return found
  }
  return undefined
}

function parsed(body: string): unknown {
  try {
    return JSON.parse(body)
  } catch {
    return undefined
  }
}

function fixFor(status: number, body: string, asked: Asked): string | undefined {
  if ((status === 401 || status === 403) && asked.keyVariable !== undefined)
    return `Check the key in ${asked.keyVariable} for ${asked.baseUrl}.`
  if (status === 402 || (status === 429 && USED_UP.test(body))) return 'Add credit to the account or use another model.'
  if (status === 404) return `Check that the model exists at ${asked.baseUrl}, and the address: most end in /v1.`
  return undefined
}

/** Seconds or an HTTP date, as milliseconds from `now`. */
export function readRetryAfter(header: string | undefined, now: number): number | undefined {
  if (header === undefined || header.trim() === '') return undefined
  const seconds = Number(header)
  const wait = Number.isFinite(seconds) ? seconds * 1000 : Date.parse(header) - now
  return Number.isNaN(wait) ? undefined : Math.max(0, Math.round(wait))
}

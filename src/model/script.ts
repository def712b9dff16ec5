import type { Json, JsonObject } from '../core/json.ts'
import type { Finish, Request } from '../core/request.ts'
import type { Usage } from '../core/usage.ts'

/** What a scripted model answers, one entry for each request, or a function of the request. `n` counts from 0. */
export type Script = readonly ScriptReply[] | ScriptFunction
export type ScriptFunction = (request: Request, n: number) => ScriptReply | undefined | Promise<ScriptReply | undefined>

export type ScriptReply = SpokenReply | FailedReply

/** Goes out as it is: nothing is checked, so a script can be as wrong as a service can be. */
export interface SpokenReply {
  readonly text?: string
  readonly reasoning?: string
  readonly calls?: readonly ScriptCall[]
  /** Default: `calls` where there are calls, else `stop`. */
  readonly finish?: Finish
  /** Counts left out are 0; without a usage the reply does not say what it used. */
  readonly usage?: Partial<Usage>
  /** Milliseconds before the reply begins. */
  readonly delayMs?: number
}

export interface ScriptCall {
  /** As the service would send it; left out, the call has none. */
  readonly id?: string
  readonly name: string
  /** A text goes out as it is, an object as JSON. */
  readonly arguments: string | JsonObject
}

export interface FailedReply {
  readonly error: {
    /** HTTP status; 0 for a connection that breaks. */
    readonly status: number
    readonly body?: Json
  }
  readonly delayMs?: number
}

export const argumentText = (call: ScriptCall): string =>
  typeof call.arguments === 'string' ? call.arguments : JSON.stringify(call.arguments)

export const bodyText = (body: Json | undefined): string =>
  body === undefined ? '' : typeof body === 'string' ? body : JSON.stringify(body)

import { createHmac, hash, timingSafeEqual } from 'node:crypto'
import type { ApprovalSource, CallParked } from '../core/approval.ts'
import { canonicalJson } from '../core/canonical.ts'
import type { JsonObject } from '../core/json.ts'
import type { ToolDefinition } from '../core/request.ts'

/** What a person says about one call that waits. */
export type ApprovalAnswer =
  | {
      readonly decision: 'approve'
      readonly by: string
      /** The arguments as the person wants them, without those that the session sets. Decided on again. */
      readonly edited?: JsonObject
    }
  | { readonly decision: 'deny'; readonly by: string; readonly reason?: string }

/** What a person is shown of a call. */
export type Card = Omit<CallParked, 'kind' | 'digest'>

/** Milliseconds that a call waits for a person, where nothing else is said: a day. */
export const APPROVAL_LIFETIME = 24 * 60 * 60_000

/** Everything that an approval is bound to: change any of it and there is none. */
export interface Binding {
  readonly client: string
  readonly run: string
  /** Sequence number of the event that asked. */
  readonly seq: number
  readonly tool: ToolDefinition
  readonly card: Card
}

/** Names the exact call that a person is asked about. */
export function digestOf({ tool, card, ...place }: Binding): string {
  const definition = hash('sha256', canonicalJson({ ...tool }))
  return hash(
    'sha256',
    canonicalJson({ ...place, tool: definition, card: structuredClone(card) as unknown as JsonObject }),
  )
}

/** What a person said about the call that a digest names. */
export interface Approved extends ApprovalSource {
  readonly digest: string
  readonly edited?: JsonObject
}

/** A mark that only who holds the key can make. */
export function sealOf({ digest, by, from, edited }: Approved, key: string): string {
  const text = canonicalJson({ digest, by, from, edited: edited ?? null })
  return createHmac('sha256', key).update(`tao approval\n${text}`).digest('hex')
}

export function hasSeal(approved: Approved & { readonly seal: string }, key: string): boolean {
  const [made, given] = [Buffer.from(sealOf(approved, key)), Buffer.from(approved.seal)]
  return made.length === given.length && timingSafeEqual(made, given)
}

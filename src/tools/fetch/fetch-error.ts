/**
 * `refused`: the address may not be fetched. `unreachable`: no connection, or it broke. `timeout`: a time limit of ours.
 * `limit`: too many bytes or redirects. `unreadable`: an encoding that is unknown or broken.
 */
export type FetchTrouble = 'refused' | 'unreachable' | 'timeout' | 'limit' | 'unreadable'

/** Why something was not fetched. The message is one sentence for the model. */
export class FetchError extends Error {
  override readonly name = 'FetchError'
  readonly kind: FetchTrouble

  constructor(kind: FetchTrouble, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.kind = kind
  }
}

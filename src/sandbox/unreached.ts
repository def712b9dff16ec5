/** A host that a command asked for and did not get. */
export interface Unreached {
  /** Host and port, as far as they could be read; what a command wrote, on one line. */
  readonly target: string
  /** Half a sentence. */
  readonly why: string
}

/** One line each, for whoever reads the command's output. */
export const describeUnreached = (unreached: readonly Unreached[] = []): string[] =>
  unreached.map(({ target, why }) => `network: ${target} was not reached: ${why}`)

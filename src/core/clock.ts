/** The time, as a value that tests replace. */
export interface Clock {
  /** Milliseconds since 1970. */
  now(): number
}

/** Fresh names, as a value that tests replace. */
export interface Ids {
  /** A name for a new run: sorts by time, safe in a file name. */
  run(): string
}

export const systemClock: Clock = { now: () => Date.now() }

export const systemIds: Ids = {
  run: () => {
    const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    return `${time}-${crypto.randomUUID().slice(0, 8)}`
  },
}

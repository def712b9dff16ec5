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

/** The time for one run: it never goes back. When the machine's clock is set back, it goes on from where it was. */
export function steadyClock(clock: Clock = systemClock): Clock {
  let [last, ahead] = [Number.NEGATIVE_INFINITY, 0]
  return {
    now() {
      const now = clock.now()
      ahead = Math.max(ahead, last - now)
      last = now + ahead
      return last
    },
  }
}

export const systemIds: Ids = {
  run: () => {
    const time = new Date().toISOString().slice(0, 19).replaceAll(/[-:]/g, '').replace('T', '-')
    return `${time}-${crypto.randomUUID().slice(0, 8)}`
  },
}

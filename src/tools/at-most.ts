/** Runs work as it comes, so that never more than a number of pieces are under way; the others wait in order. */
export function atMost(count: number): <T>(work: () => Promise<T>) => Promise<T> {
  const waiting: (() => void)[] = []
  let running = 0
  return async (work) => {
    if (running >= count) await new Promise<void>((resolve) => waiting.push(resolve))
    else running += 1
    try {
      return await work()
    } finally {
      const next = waiting.shift()
      if (next === undefined) running -= 1
      else next()
    }
  }
}

/** What the work makes of each, in the given order. */
export function mapAtMost<A, B>(count: number, items: readonly A[], work: (item: A) => Promise<B>): Promise<B[]> {
  const inTurn = atMost(count)
  return Promise.all(items.map((item) => inTurn(() => work(item))))
}

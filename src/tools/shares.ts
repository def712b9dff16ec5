/**
 * Divides room among parts: what fits into an equal share is given what it needs, and what it leaves goes to the others.
 * `lengths` and the shares are in the same unit.
 */
export function sharesOf(lengths: readonly number[], room: number): number[] {
  const shares = lengths.map(() => 0)
  const bySize = [...lengths.keys()].sort((a, b) => (lengths[a] ?? 0) - (lengths[b] ?? 0))
  let left = room
  for (const [done, index] of bySize.entries()) {
    const share = Math.min(lengths[index] ?? 0, Math.floor(left / (bySize.length - done)))
    shares[index] = share
    left -= share
  }
  return shares
}

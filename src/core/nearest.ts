/** The names most like the one that was written, best first, at most three; none where nothing is alike. */
export function nearestNames(written: string, known: Iterable<string>): string[] {
  const wanted = written.toLowerCase()
  return [...known]
    .map((name) => ({ name, distance: distanceTo(wanted, name.toLowerCase()) }))
    .filter(({ distance, name }) => distance <= Math.max(2, Math.floor(name.length / 3)))
    .sort((a, b) => a.distance - b.distance || a.name.localeCompare(b.name))
    .slice(0, 3)
    .map(({ name }) => name)
}

/** A sentence that helps after an unknown name. */
export function didYouMean(written: string, known: readonly string[]): string {
  const near = nearestNames(written, known)
  if (near.length > 0) return `Did you mean ${near.map((name) => `"${name}"`).join(' or ')}?`
  return known.length > 0 ? `Known: ${known.join(', ')}.` : 'There are none.'
}

/** One name in front of the other counts as near, and so does its end behind a prefix (`functions.bash`); otherwise Levenshtein's distance over at most 64 characters. */
function distanceTo(a: string, b: string): number {
  if (a !== '' && (a.startsWith(b) || b.startsWith(a))) return 1
  if (a.endsWith(b) && b !== '' && /[^\p{L}\p{N}]/u.test(a.charAt(a.length - b.length - 1))) return 1
  return levenshtein(a.slice(0, 64), b.slice(0, 64))
}

function levenshtein(a: string, b: string): number {
  let above = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i++) {
    const row = [i]
    for (let j = 1; j <= b.length; j++) {
      const swap = (above[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      row.push(Math.min(swap, (above[j] ?? 0) + 1, (row[j - 1] ?? 0) + 1))
    }
    above = row
  }
  return above[b.length] ?? 0
}

const UNITS: Readonly<Record<string, number>> = { ms: 1, s: 1_000, m: 60_000, h: 3_600_000, d: 86_400_000 }

/** How a length of time is written: `90s`, `10m`, `1.5h`, `7d`, `500ms`. */
export const DURATION = /^(\d+(?:\.\d+)?)\s*(ms|s|m|h|d)$/

/** Milliseconds; undefined for a text that says no length of time above 0. */
export function parseDuration(text: string): number | undefined {
  const [, amount, unit] = DURATION.exec(text.trim()) ?? []
  const milliseconds = Math.round(Number(amount) * (UNITS[unit ?? ''] ?? Number.NaN))
  return milliseconds > 0 && Number.isSafeInteger(milliseconds) ? milliseconds : undefined
}

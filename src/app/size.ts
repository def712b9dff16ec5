const UNITS: Readonly<Record<string, number>> = { B: 1, KB: 2 ** 10, MB: 2 ** 20, GB: 2 ** 30, TB: 2 ** 40 }

/** How a size is written: `2GB`, `500 MB`, `1.5GB`, `4096B`. Units are powers of 1024. */
export const SIZE = /^(\d+(?:\.\d+)?)\s*([KMGT]?B)$/i

/** Bytes; undefined for a text that says no size above 0. */
export function parseSize(text: string): number | undefined {
  const [, amount, unit] = SIZE.exec(text.trim()) ?? []
  const bytes = Math.round(Number(amount) * (UNITS[unit?.toUpperCase() ?? ''] ?? Number.NaN))
  return bytes > 0 && Number.isSafeInteger(bytes) ? bytes : undefined
}

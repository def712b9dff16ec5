/** A time as people here write it, with its offset: `2026-11-30T10:52:00+01:00`. To the second. */
export function localTime(milliseconds: number): string {
  const date = new Date(milliseconds)
  const offset = -date.getTimezoneOffset()
  const shifted = new Date(milliseconds + offset * 60_000).toISOString().slice(0, 19)
  return `${shifted}${offset < 0 ? '-' : '+'}${two(Math.abs(offset) / 60)}:${two(Math.abs(offset) % 60)}`
}

const two = (value: number): string => String(Math.floor(value)).padStart(2, '0')

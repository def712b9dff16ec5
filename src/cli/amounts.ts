import { totalTokens, type Usage } from '../core/usage.ts'

/** `0.4 s`, `12 s`, `3 min 05 s`. */
export function duration(milliseconds: number): string {
  const seconds = milliseconds / 1000
  if (seconds < 10) return `${seconds.toFixed(1)} s`
  const whole = Math.round(seconds)
  if (whole < 60) return `${whole} s`
  return `${Math.floor(whole / 60)} min ${`${whole % 60}`.padStart(2, '0')} s`
}

export const count = (n: number, one: string, many = `${one}s`): string =>
  `${n.toLocaleString('en')} ${n === 1 ? one : many}`

/** `1,204 tokens · $0.0012`; nothing is said of a cost that is not known. */
export function spend(usage: Usage): string {
  const cost = usage.cost === undefined ? '' : ` · $${usage.cost.toFixed(usage.cost < 1 ? 4 : 2)}`
  return `${count(totalTokens(usage), 'token')}${cost}`
}

export const size = (n: number): string =>
  n < 1000 ? count(n, 'byte') : n < 1e6 ? `${(n / 1e3).toFixed(1)} kB` : `${(n / 1e6).toFixed(1)} MB`

import { type Span, spanOf } from './text.ts'

/** A number as it was written. */
export interface WrittenNumber extends Span {
  readonly text: string
  /** What it may stand for: `1.234` is a thousand-odd to some and one and a bit to others. */
  readonly readings: readonly Reading[]
}

interface Reading {
  readonly value: number
  /** The place of its last digit: 0.1 for 2.5, 100000 for 1.2 million. */
  readonly place: number
}

const NUMBER =
  /(?<!(?!\p{Script=Han})[\p{L}\p{N}_])(?:(?<=^|[\s([{=:;,"'<>≈~])[-\u2212+])?(?:\d{1,3}(?:[.,'\u2019\u00a0\u202f ]\d{3}(?!\d))+|\d+)(?:[.,]\d+)*(?:e[+-]?\d+)?/giu

const SCALES: readonly (readonly [RegExp, number])[] = [
  [/^[ \u00a0]?(?:%|percent\b|per cent\b|prozent\b|процент\p{L}*)/iu, 0.01],
  [/^[ \u00a0]?(?:thousand\b|tausend\b|тыс(?:яч\p{L}*|\.)?|k\b|千)/iu, 1e3],
  [/^[ \u00a0]?(?:万)/u, 1e4],
  [/^[ \u00a0]?(?:millions?\b|millionen\b|mio\b|миллион\p{L}*|млн)/iu, 1e6],
  [/^[ \u00a0]?M\b/u, 1e6], // 5 m are metres
  [/^[ \u00a0]?(?:亿)/u, 1e8],
  [/^[ \u00a0]?(?:billions?\b|milliarden?\b|mrd\b|миллиард\p{L}*|млрд|bn\b)/iu, 1e9],
]

const HEDGE =
  /(?:\b(?:about|around|roughly|approximately|almost|nearly|some|over|circa|ca|etwa|rund|ungefähr|knapp|fast)\.?|(?<!\p{L})(?:около|примерно|почти|приблизительно|порядка)|约|大约|近|≈|~)\s*$/iu

/** What an answer says is taken at its word; a source may be read in every way it could be meant. */
type Role = 'answer' | 'source'

/** Every number of a text. In an answer, one behind "about" may have been rounded to its last digit that is not 0. */
export function numbersIn(text: string, role: Role): WrittenNumber[] {
  return Array.from(text.matchAll(NUMBER), (match) => {
    const span = spanOf(match)
    const rest = text.slice(span.end, span.end + 20)
    const isHedged = role === 'answer' && HEDGE.test(text.slice(Math.max(0, span.start - 20), span.start))
    const plainly = plainReadings(match[0], isHedged)
    return { ...span, text: match[0].trim(), readings: withScale(plainly, rest, role) }
  })
}

const plainReadings = (written: string, isHedged: boolean): Reading[] =>
  decimalsOf(written).map(({ value, decimals }) => ({
    value,
    place: isHedged ? lastPlace(value, decimals) : 10 ** -decimals,
  }))

function withScale(plainly: readonly Reading[], rest: string, role: Role): readonly Reading[] {
  const [, scale = 1] = SCALES.find(([word]) => word.test(rest)) ?? []
  if (scale === 1) return plainly
  const scaled = plainly.map(({ value, place }) => ({ value: value * scale, place: place * scale }))
  return scale < 1 || role === 'source' ? [...plainly, ...scaled] : scaled // 25 % is 25 to some and 0.25 to others.
}

/** The ways to read separators: groups of three in front, a decimal mark at the end. */
function decimalsOf(written: string): { readonly value: number; readonly decimals: number }[] {
  const text = written.replace('\u2212', '-').replaceAll(/['\u2019\u00a0\u202f ]/g, '')
  const [digits = '', exponent] = text.toLowerCase().split('e')
  const forms = new Set<string>()
  const isGrouped = (mark: string): boolean => new RegExp(`^[-+]?\\d{1,3}(?:\\${mark}\\d{3})+$`).test(digits)
  if (isGrouped('.')) forms.add(digits.replaceAll('.', ''))
  if (isGrouped(',')) forms.add(digits.replaceAll(',', ''))
  if (/^[-+]?\d+(?:\.\d+)?$/.test(digits)) forms.add(digits)
  if (/^[-+]?\d+,\d+$/.test(digits)) forms.add(digits.replace(',', '.'))
  if (/^[-+]?\d{1,3}(?:,\d{3})+\.\d+$/.test(digits)) forms.add(digits.replaceAll(',', ''))
  if (/^[-+]?\d{1,3}(?:\.\d{3})+,\d+$/.test(digits)) forms.add(digits.replaceAll('.', '').replace(',', '.'))
  return [...forms].map((form) => ({
    value: Number(exponent === undefined ? form : `${form}e${exponent}`),
    decimals: (form.split('.')[1]?.length ?? 0) - Number(exponent ?? 0),
  }))
}

function lastPlace(value: number, decimals: number): number {
  let place = 10 ** -decimals
  while (value !== 0 && Number.isInteger(value / (place * 10)) && place < 1e15) place *= 10
  return place
}

/** Says of a written number whether one of the sources, rounded to its last written place, is that number. */
export function knownNumbers(sources: readonly string[]): (written: WrittenNumber) => boolean {
  const values = sources.flatMap(valuesIn)
  const sorted = [...new Set(values.flatMap((value) => [value, Math.abs(value)]))].sort((a, b) => a - b)
  const isKnown = ({ readings }: WrittenNumber): boolean =>
    readings.some(({ value, place }) => hasWithin(sorted, value, place / 2))
  // "3 200" may be one number or two.
  return (written) =>
    isKnown(written) ||
    (written.text.includes(' ') &&
      written.text
        .split(' ')
        .flatMap((part) => numbersIn(part, 'answer'))
        .every(isKnown))
}

/** A source is read generously: digits inside of names and dates count too. */
const valuesIn = (source: string): number[] => [
  ...numbersIn(source, 'source').flatMap(({ readings }) => readings.map(({ value }) => value)),
  ...Array.from(source.matchAll(/(?:(?<=^|[\s([{=:;,])-)?\d+(?:\.\d+)?/g), ([digits]) => Number(digits)),
]

function hasWithin(sorted: readonly number[], value: number, slack: number): boolean {
  const tolerance = slack + Math.abs(value) * 1e-12
  let [low, high] = [0, sorted.length]
  while (low < high) {
    const middle = (low + high) >> 1
    if ((sorted[middle] ?? 0) < value - tolerance) low = middle + 1
    else high = middle
  }
  const found = sorted[low]
  return found !== undefined && found <= value + tolerance
}

import { type Span, spanOf } from './text.ts'

/** A date or a time of day as it was written. */
export interface WrittenDate extends Span {
  readonly text: string
  /** `2026-11-30`, `11-30` where no year is written, `2026-11`, `14:30`. Several where day and month can be told apart by habit only. */
  readonly readings: readonly string[]
}

const MONTHS: readonly RegExp[] = [
  /^(?:jan|янв)/iu,
  /^(?:feb|фев)/iu,
  /^(?:mar|mär|мар)/iu,
  /^(?:apr|апр)/iu,
  /^(?:may|mai|ма[йя])/iu,
  /^(?:jun|июн)/iu,
  /^(?:jul|июл)/iu,
  /^(?:aug|авг)/iu,
  /^(?:sep|сен)/iu,
  /^(?:oct|okt|окт)/iu,
  /^(?:nov|ноя)/iu,
  /^(?:dec|dez|дек)/iu,
]

const NAME =
  '(?:jan(?:uary|uar)?|feb(?:ruary|ruar)?|mar(?:ch)?|märz|apr(?:il)?|may|mai|june?|juni|july?|juli|aug(?:ust)?|sept?(?:ember)?|o[ck]t(?:ober)?|nov(?:ember)?|de[cz](?:ember)?|январ[ья]|феврал[ья]|марта?|апрел[ья]|ма[йя]|июн[ья]|июл[ья]|августа?|сентябр[ья]|октябр[ья]|ноябр[ья]|декабр[ья])\\.?'
const DAY = '(\\d{1,2})(?:st|nd|rd|th|\\.)?'
const YEAR = '(\\d{4})'
/** A letter in front makes it part of a word; Chinese is written without spaces. */
const EDGE = '(?<!(?!\\p{Script=Han})[\\p{L}\\p{N}])'
const END = '(?![\\p{L}\\p{N}])'

type Read = (groups: readonly string[]) => readonly string[]
const FORMS: readonly (readonly [RegExp, Read])[] = [
  [form(`${YEAR}-(\\d{2})-(\\d{2})(?=T|${END})`, ''), ([y, m, d]) => [dateOf(y, m, d)]],
  [form(`${YEAR}/(\\d{1,2})/(\\d{1,2})`), ([y, m, d]) => [dateOf(y, m, d)]],
  [form(`${YEAR}\\s?年\\s?(\\d{1,2})\\s?月(?:\\s?(\\d{1,2})\\s?[日号])?`, ''), ([y, m, d]) => [dateOf(y, m, d)]],
  [form('(\\d{1,2})\\s?月\\s?(\\d{1,2})\\s?[日号]', ''), ([m, d]) => [dateOf(undefined, m, d)]],
  [form(`(\\d{1,2})\\.\\s?(\\d{1,2})\\.\\s?${YEAR}`), ([d, m, y]) => [dateOf(y, m, d)]],
  [form(`(\\d{1,2})/(\\d{1,2})/${YEAR}`), ([a, b, y]) => [dateOf(y, a, b), dateOf(y, b, a)]],
  [form(`${DAY}\\s(?:of\\s)?(${NAME}),?\\s${YEAR}`), ([d, m, y]) => [dateOf(y, monthOf(m), d)]],
  [form(`(${NAME})\\s${DAY},?\\s${YEAR}`), ([m, d, y]) => [dateOf(y, monthOf(m), d)]],
  [form(`${DAY}\\s(?:of\\s)?(${NAME})`), ([d, m]) => [dateOf(undefined, monthOf(m), d)]],
  [form(`(${NAME})\\s${DAY}`), ([m, d]) => [dateOf(undefined, monthOf(m), d)]],
  [form(`(${NAME}),?\\s${YEAR}`), ([m, y]) => [dateOf(y, monthOf(m), undefined)]],
  [
    form('(\\d{1,2}):(\\d{2})(?::(\\d{2}))?(?:\\.\\d+)?\\s?([ap]\\.?m\\.?)?', ''),
    ([h, m, s, half]) => [timeOf(h, m, s, half)],
  ],
]

function form(source: string, end = END): RegExp {
  return new RegExp(`${source.startsWith('(\\d{1,2}):') ? '(?<!\\d)' : EDGE}${source}${end}`, 'giu')
}

/** Every date and time of a text, in English, German, Russian, Chinese or figures, the longest form of each. */
export function datesIn(text: string): WrittenDate[] {
  const found: WrittenDate[] = []
  for (const date of everyForm(text))
    if (!found.some(({ start, end }) => date.start < end && start < date.end)) found.push(date)
  return found
}

/** The longest forms first. */
const everyForm = (text: string): WrittenDate[] =>
  FORMS.flatMap(([expression, read]) =>
    Array.from(text.matchAll(expression), (match) => {
      const readings = read(match.slice(1)).filter(isPossible)
      return { ...spanOf(match), text: match[0].trim(), readings }
    }),
  ).filter(({ readings }) => readings.length > 0)

/** Says of a written date whether the sources have it, with no less than what is written. */
export function knownDates(sources: readonly string[]): (written: WrittenDate) => boolean {
  const known = new Set(sources.flatMap(everyForm).flatMap(({ readings }) => readings.flatMap(partsOf)))
  return ({ readings }) => readings.some((reading) => known.has(reading))
}

/** Whoever knows the day knows the month; `14:30` is in `14:30:05`. */
function partsOf(reading: string): string[] {
  if (reading.includes(':')) return [reading, reading.slice(0, 5)]
  const [year, month, day] = reading.split('-')
  return day === undefined ? [reading] : [reading, `${year}-${month}`, `${month}-${day}`]
}

const two = (digits: string): string => digits.padStart(2, '0')

const monthOf = (name = ''): string => String(MONTHS.findIndex((month) => month.test(name)) + 1)

const dateOf = (year: string | undefined, month = '', day?: string): string =>
  [year, two(month), day === undefined ? undefined : two(day)].filter((part) => part !== undefined).join('-')

function timeOf(hour = '', minute = '', second?: string, half?: string): string {
  const isLate = /^p/i.test(half ?? '')
  const hours = half === undefined ? Number(hour) : (Number(hour) % 12) + (isLate ? 12 : 0)
  return [String(hours), minute, ...(second === undefined ? [] : [second])].map(two).join(':')
}

function isPossible(reading: string): boolean {
  if (reading.includes(':')) return /^(?:[01]\d|2[0-3]):[0-5]\d(?::[0-5]\d)?$/.test(reading)
  return /^(?:\d{4}-)?(?:0[1-9]|1[0-2])(?:-(?:0[1-9]|[12]\d|3[01]))?$/.test(reading)
}

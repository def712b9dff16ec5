import { standsWhole, type TypedWords } from './words.ts'

/**
 * A day as it is written in the value (2025-01-11), or with the month's name and the year anywhere in the words: January 11th,
 * 11 января. For a minute the time of day must be said too.
 */
export function saysDate(words: TypedWords, value: string): boolean {
  const [day = '', time] = value.split(' ')
  return (
    (standsWhole(words.folded, day) || saysNamedDay(words, day)) &&
    (time === undefined || standsWhole(words.folded, time))
  )
}

function saysNamedDay({ folded }: TypedWords, value: string): boolean {
  const [year = '', month = '', day = ''] = value.split('-')
  if (!standsWhole(folded, year)) return false
  return spellings(Number(month), Number(day)).some((spelling) => standsWhole(folded, spelling))
}

function spellings(month: number, day: number): string[] {
  const days = ['', 'st', 'nd', 'rd', 'th'].map((ending) => `${day}${ending}`)
  const { english, russian } = months()
  const name = english[month - 1] ?? ''
  return [
    ...days.flatMap((each) => [`${name} ${each}`, `${each} ${name}`, `${each} of ${name}`]),
    `${day} ${russian[month - 1]}`,
  ]
}

/** As they stand beside a day. */
const monthNames = (language: string): string[] =>
  Array.from({ length: 12 }, (_, month) =>
    new Intl.DateTimeFormat(language, { month: 'long', day: 'numeric', timeZone: 'UTC' })
      .formatToParts(Date.UTC(2000, month, 1))
      .filter(({ type }) => type === 'month')
      .map(({ value }) => value.toLowerCase())
      .join(''),
  )

interface Months {
  readonly english: readonly string[]
  readonly russian: readonly string[]
}

let named: Months | undefined

/** Made when a day is looked for: making them takes longer than starting a run. */
function months(): Months {
  named ??= { english: monthNames('en'), russian: monthNames('ru') }
  return named
}

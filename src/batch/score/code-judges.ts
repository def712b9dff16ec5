import { type Judge, rightAnswers } from './judge.ts'

type Rule = (prediction: string, answer: string) => boolean

/** Judges that ask nobody. */
export const CODE_JUDGES: ReadonlyMap<string, Judge> = new Map(
  Object.entries({ exact: isExact, normalised: isNormalised, numeric: isNumeric, 'gaia-rule': isGaia }).map(
    ([name, rule]) => [name, codeJudge(name, rule)],
  ),
)

function codeJudge(name: string, rule: Rule): Judge {
  return {
    name,
    async judge({ answer, prediction }) {
      const isRight = rightAnswers(answer).some((right) => rule(prediction, right))
      const why = `By the rule "${name}" it is ${isRight ? '' : 'not '}the answer of the dataset.`
      return { verdict: isRight ? 'correct' : 'wrong', why }
    },
  }
}

/** The same text, but for space around it. */
function isExact(prediction: string, answer: string): boolean {
  return prediction.trim() === answer.trim()
}

/** The same words: case, punctuation, articles and the forms of characters aside. */
function isNormalised(prediction: string, answer: string): boolean {
  const [said, right] = [normalised(prediction), normalised(answer)]
  return right === '' ? isExact(prediction, answer) : said === right
}

/** But for marks within a number and the sign before it. */
const PUNCTUATION = /(?!(?<=\d)[.:/](?=\d))(?!(?<![\p{L}\p{N}])-(?=\d))\p{P}/gu

const normalised = (text: string): string =>
  text
    .normalize('NFKC')
    .toLowerCase()
    .replaceAll('\u2212', '-')
    .replaceAll(/(?<=\d),(?=\d{3}(?!\d))/g, '')
    .replaceAll(PUNCTUATION, ' ')
    .replaceAll(/\b(?:a|an|the)\b/g, ' ')
    .replaceAll(/\s+/g, ' ')
    .trim()

/** One part in a million: digits that were rounded away are no other number. */
const TOLERANCE = 1e-6

/** The same number: units, currency and separators of thousands aside. What holds several numbers is none. */
function isNumeric(prediction: string, answer: string): boolean {
  const [said, right] = [onlyNumber(prediction), onlyNumber(answer)]
  return said !== undefined && right !== undefined && isNear(said, right)
}

const isNear = (a: number, b: number): boolean => Math.abs(a - b) <= TOLERANCE * Math.max(Math.abs(a), Math.abs(b))

const NUMBER = /(?<![\p{L}\p{N}])[-+]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?:e[-+]?\d+)?/giu

function onlyNumber(text: string): number | undefined {
  const found = text.normalize('NFKC').replaceAll('\u2212', '-').match(NUMBER) ?? []
  return found.length === 1 ? Number((found[0] ?? '').replaceAll(',', '')) : undefined
}

/**
 * Quasi-exact match as the GAIA benchmark defines it: the answer of the dataset says whether it is a number, a list with
 * commas or semicolons, or a text; numbers lose their units, texts their case, spaces and punctuation.
 */
function isGaia(prediction: string, answer: string): boolean {
  const number = wholeNumber(answer)
  if (number !== undefined) return gaiaNumber(prediction) === number
  if (!/[,;]/.test(answer)) return bare(prediction) === bare(answer)
  const [said, right] = [prediction.split(/[,;]/), answer.split(/[,;]/)]
  return said.length === right.length && right.every((each, at) => isSameEntry(said[at] ?? '', each))
}

/** Punctuation counts within a list. */
function isSameEntry(said: string, right: string): boolean {
  const number = wholeNumber(right)
  return number === undefined ? withoutSpace(said) === withoutSpace(right) : gaiaNumber(said) === number
}

const gaiaNumber = (text: string): number | undefined => wholeNumber(text.replaceAll(/[$%,]/g, ''))

function wholeNumber(text: string): number | undefined {
  const value = text.trim() === '' ? Number.NaN : Number(text.trim())
  return Number.isFinite(value) ? value : undefined
}

const withoutSpace = (text: string): string => text.replaceAll(/\s+/g, '').toLowerCase()
const bare = (text: string): string => withoutSpace(text).replaceAll(/[!-/:-@[-`{-~]/g, '')

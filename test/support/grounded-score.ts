import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { parse } from 'yaml'
import { groundingOf } from '../../src/judge/grounded/claims.ts'

/** An answer, what was seen before it, and what of it a person finds to stand nowhere in that. */
export interface JudgedAnswer {
  readonly about: string
  readonly seen: readonly string[]
  readonly answer: string
  readonly wrong: readonly string[]
}

export interface Score {
  /** Found and wrong. */
  readonly caught: number
  /** Found, though it was seen. */
  readonly falseAlarms: readonly string[]
  /** Wrong, and not found. */
  readonly missed: readonly string[]
}

const ANSWERS = join(import.meta.dirname, '../../bench/grounded-answers.yaml')

export const readAnswers = (): readonly JudgedAnswer[] => parse(readFileSync(ANSWERS, 'utf8')) as JudgedAnswer[]

/** Compares what the criterion finds with what a person found. */
export function scoreOf(answers: readonly JudgedAnswer[]): Score {
  const compared = answers.map(({ about, seen, answer, wrong }) => {
    const found = groundingOf(answer, seen).flatMap(({ isGrounded, text }) => (isGrounded ? [] : [text]))
    const label = (text: string): string => `${about}: ${text}`
    return {
      caught: found.filter((text) => wrong.includes(text)).length,
      falseAlarms: found.filter((text) => !wrong.includes(text)).map(label),
      missed: wrong.filter((text) => !found.includes(text)).map(label),
    }
  })
  return {
    caught: compared.reduce((sum, { caught }) => sum + caught, 0),
    falseAlarms: compared.flatMap(({ falseAlarms }) => falseAlarms),
    missed: compared.flatMap(({ missed }) => missed),
  }
}

export const precisionOf = ({ caught, falseAlarms }: Score): number => caught / (caught + falseAlarms.length)

export const recallOf = ({ caught, missed }: Score): number => caught / (caught + missed.length)

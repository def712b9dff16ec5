import { Ajv, type ValidateFunction } from 'ajv'
import { describeError, TaoError } from '../core/error.ts'
import { type JsonObject, readJson } from '../core/json.ts'
import type { Criterion, Finding } from './criterion.ts'
import { readPattern } from './pattern.ts'

/** What the answer must be like. */
export interface AnswerOptions {
  /** JSON Schema; the answer must then be one JSON value and nothing else. */
  readonly schema?: JsonObject
  /** What it must contain: a plain text, or `/regular expression/`. */
  readonly matches?: string
  /** ISO 639-1, such as `en`. */
  readonly language?: string
  /** Characters, white space at the ends left out. */
  readonly minLength?: number
  readonly maxLength?: number
}

type Look = (answer: string) => string | undefined | Promise<string | undefined>

/** Holds when the answer is as it must be. Throws a `TaoError` for a wish that cannot be met or read. */
export function answer(options: AnswerOptions): Criterion {
  const { schema, matches, language, minLength, maxLength } = options
  const looks: (readonly [string, Look])[] = []
  if (schema !== undefined) looks.push(['fits the schema', fitsSchema(schema)])
  if (matches !== undefined) looks.push([`contains ${readPattern(matches).written}`, contains(matches)])
  if (language !== undefined) looks.push([`is in "${expectLanguage(language)}"`, (text) => isIn(language, text)])
  if (minLength !== undefined || maxLength !== undefined) looks.push(lengthLook(minLength, maxLength))
  if (looks.length === 0) throw new TaoError('criterion', 'A criterion "answer" says nothing about the answer.')
  return {
    name: `answer: ${looks.map(([name]) => name).join(', ')}`,
    check: async (delivery) => look(delivery.answer.trim(), looks),
  }
}

async function look(text: string, looks: readonly (readonly [string, Look])[]): Promise<Finding> {
  const found = await Promise.all(looks.map(([, problemIn]) => problemIn(text)))
  const problems = found.filter((problem) => problem !== undefined)
  return problems.length === 0
    ? { holds: true, detail: `${text.length} characters` }
    : { holds: false, detail: problems.map((problem) => `The answer ${problem}.`).join('\n') }
}

const contains = (written: string): Look => {
  const pattern = readPattern(written)
  return (text) => pattern.problemIn(text)
}

function lengthLook(least = 0, most = Number.POSITIVE_INFINITY): readonly [string, Look] {
  if (least > most) throw new TaoError('criterion', `No answer has at least ${least} and at most ${most} characters.`)
  const name =
    most === Number.POSITIVE_INFINITY ? `has ${least} characters or more` : `has ${least} to ${most} characters`
  return [name, ({ length }) => (length >= least && length <= most ? undefined : `has ${length} characters`)]
}

function fitsSchema(schema: JsonObject): Look {
  const validate = compile(schema)
  return (text) => {
    const read = readJson(text)
    if (!read.ok) return `is not one JSON value: ${read.problem}`
    if (validate(read.value)) return undefined
    const problems = (validate.errors ?? []).map(
      ({ instancePath, message }) => `${instancePath || 'the value'} ${message}`,
    )
    return `does not fit its schema: ${problems.join('; ')}`
  }
}

function compile(schema: JsonObject): ValidateFunction {
  try {
    return new Ajv({ allErrors: true, strict: false }).compile(schema)
  } catch (error) {
    throw new TaoError('criterion', `The schema of the answer cannot be used: ${describeError(error)}`)
  }
}

function expectLanguage(language: string): string {
  if (/^[a-z]{2}$/.test(language)) return language
  throw new TaoError('criterion', `"${language}" is not a language.`, { fix: 'Write its two letters, such as en.' })
}

/** Code and links are in no language. A text too short to tell is not in it: nothing is proved. */
async function isIn(language: string, text: string): Promise<string | undefined> {
  const { eld } = await import('eld/small')
  const words = text.replaceAll(/```.*?```|`[^`]*`|https?:\/\/\S+/gs, ' ')
  const found = eld.detect(words)
  if (found.language === language && found.isReliable()) return undefined
  return found.isReliable() ? `is in "${found.language}", not in "${language}"` : `is too short to tell its language`
}

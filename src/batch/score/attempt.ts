import { clip } from '../../core/clip.ts'
import { isJsonObject, type Json, type JsonObject } from '../../core/json.ts'
import type { Outcome, Status } from '../../core/outcome.ts'
import { digestOf } from '../item.ts'
import type { RecordedMessage } from '../messages.ts'
import { type Figures, figuresOf } from './figures.ts'

/** One rollout of one item as it is scored: what its record says, without the whole of its messages. */
export interface Attempt {
  readonly id: string
  readonly rollout: number
  /** Where the whole record stands; lines count from 1. */
  readonly file: string
  readonly line: number
  readonly question: string
  /** The dataset's. */
  readonly answer: Json
  readonly prediction: string
  readonly termination: string
  /** The question was not really tried: such an attempt is not judged. */
  readonly error?: string
  readonly run?: string
  readonly model?: string
  readonly status?: Status
  readonly fields: JsonObject
  readonly figures: Figures
  /** The messages, cut for people. */
  readonly trace: readonly RecordedMessage[]
}

/** Where a record was found, and of which rollout it is when it does not say so itself. */
export type RecordPlace = Pick<Attempt, 'rollout' | 'file' | 'line'>

/** Reads one line of a result file of Tao's or in the original's format, or says what is missing in it. */
export function readAttempt(value: unknown, place: RecordPlace): Attempt | string {
  if (!isJsonObject(value)) return 'it is no object'
  const { question, answer, prediction, termination, messages, error, id, rollout, run, model, outcome, fields } = value
  if (typeof question !== 'string') return 'it has no "question"'
  if (typeof prediction !== 'string') return 'it has no "prediction"'
  if (!Array.isArray(messages)) return 'it has no "messages"'
  const said = messages.filter(isMessage)
  const known = isJsonObject(outcome) ? (outcome as unknown as Outcome) : undefined
  return {
    // The original names a question by its text.
    id: typeof id === 'string' ? id : digestOf(question).slice(0, 16),
    rollout: typeof rollout === 'number' ? rollout : place.rollout,
    ...{ file: place.file, line: place.line },
    question,
    answer: answer ?? '',
    prediction,
    termination: typeof termination === 'string' ? termination : 'not said',
    ...(error === undefined || error === null ? {} : { error: errorText(error) }),
    ...(typeof run === 'string' ? { run } : {}),
    ...(typeof model === 'string' ? { model } : {}),
    ...(known === undefined ? {} : { status: known.status }),
    fields: isJsonObject(fields) ? fields : {},
    figures: figuresOf(said, known),
    trace: cutTrace(said),
  }
}

/** That there is an error decides, not what it says. */
const errorText = (error: Json): string => (typeof error === 'string' && error !== '' ? error : JSON.stringify(error))

const isMessage = (value: unknown): value is RecordedMessage =>
  isJsonObject(value) && typeof value.role === 'string' && typeof value.content === 'string'

const MOST_MESSAGES = 40
const MOST_CHARACTERS = 500

/** The system message is the same in all; of long ones, beginning and end say most. */
function cutTrace(messages: readonly RecordedMessage[]): RecordedMessage[] {
  const turns = messages.filter(({ role }) => role !== 'system').slice(1)
  return firstAndLast(turns, MOST_MESSAGES).map(({ role, content }) => ({
    role,
    content: clip(content, MOST_CHARACTERS).text,
  }))
}

/** At most so many, from both ends; `most` is at least 2. */
export function firstAndLast<T>(list: readonly T[], most: number): readonly T[] {
  const half = Math.floor(most / 2)
  return list.length <= most ? list : [...list.slice(0, half), ...list.slice(-half)]
}

import type { Json, JsonObject } from '../core/json.ts'
import type { Outcome } from '../core/outcome.ts'
import type { State } from '../run/state.ts'
import type { Row } from './item.ts'
import { type RecordedMessage, recordedMessages } from './messages.ts'
import { predictionOf, TERMINATIONS, type Termination, terminationOf } from './termination.ts'

/**
 * One rollout of one item: one line of a result file. The first five fields, and `error`, are those of Alibaba's DeepResearch
 * and mean what they mean there; docs/batch.md describes all of them.
 */
export interface BatchRecord {
  readonly question: string
  /** The dataset's, not the model's. */
  readonly answer: Json
  readonly messages: readonly RecordedMessage[]
  readonly prediction: string
  readonly termination: Termination
  /** Only where the question was not really tried: a broken row, no sandbox, a model that could not be asked. */
  readonly error?: string
  readonly id: string
  /** From 1. */
  readonly rollout: number
  /** Of the row, as `Row.digest`. */
  readonly digest: string
  /** The run in the journal; absent where none was started. */
  readonly run?: string
  /** `provider/model`. */
  readonly model?: string
  readonly outcome?: Outcome
  /** What else the row says. */
  readonly fields?: JsonObject
}

export interface RolloutName {
  readonly row: Row
  readonly rollout: number
}

/** Throws for a run that has not ended. */
export function recordOfRun({ row, rollout }: RolloutName, run: string, state: State): BatchRecord {
  const { outcome, started } = state
  if (outcome === undefined || !('item' in row)) throw new Error(`Run ${run} has not ended.`)
  const messages = recordedMessages(state, row.item.question)
  return {
    question: row.item.question,
    answer: row.item.answer,
    messages,
    prediction: predictionOf(outcome, messages.at(-1)?.content ?? ''),
    termination: terminationOf(outcome),
    ...(wasTried(state, outcome) ? {} : { error: outcome.reason }),
    ...nameOf({ row, rollout }),
    run,
    ...(started === undefined ? {} : { model: started.model }),
    outcome,
    ...(Object.keys(row.item.fields).length === 0 ? {} : { fields: row.item.fields }),
  }
}

/** A row that could not be run: what the original writes for one that threw. */
export function recordOfFailure({ row, rollout }: RolloutName, error: string): BatchRecord {
  const item = 'item' in row ? row.item : undefined
  return {
    question: item?.question ?? '',
    answer: item?.answer ?? '',
    messages: [],
    prediction: '[Failed]',
    termination: TERMINATIONS.none,
    error,
    ...nameOf({ row, rollout }),
    ...(item === undefined || Object.keys(item.fields).length === 0 ? {} : { fields: item.fields }),
  }
}

const nameOf = ({ row, rollout }: RolloutName) => ({ id: row.id, rollout, digest: row.digest })

/** A service that gave up and a machine without a sandbox say nothing about the question. */
const wasTried = ({ failure, blocked }: State, { answer }: Outcome): boolean =>
  answer !== undefined || (failure === undefined && blocked === undefined)

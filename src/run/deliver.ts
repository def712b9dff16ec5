import type { Evidence } from '../core/outcome.ts'
import type { Delivery, RunRecord } from '../judge/criterion.ts'
import { answerFrom } from '../judge/fact-answer.ts'
import { factNamed } from '../judge/known-facts.ts'
import { recordedCall } from './read-facts.ts'
import type { Run } from './run.ts'

/** What criteria look at: the answer, and the whole record of the run, read once. */
export function deliveryOf({ state, parts }: Run, answer: string, signal: AbortSignal): Delivery {
  const record: RunRecord = {
    words: state.words.map(({ text }) => text),
    calls: state.ended.map((call) => recordedCall({ parts }, call)),
    facts: state.facts,
    lastChange: state.lastChange,
  }
  return { answer, record, signal, ...(parts.workspace === undefined ? {} : { workspace: parts.workspace }) }
}

export interface MadeAnswer {
  readonly answer: string
  /** True when it was made from facts, in place of what the model said. */
  readonly isMade: boolean
  /** What is wrong with the facts; absent when all is well. */
  readonly evidence?: Evidence
}

/** With a template the answer is made from facts alone. Facts that observations disagree about are never accepted. */
export function makeAnswer({ state }: Run, said: string): MadeAnswer {
  const template = state.started?.answer
  const declared = (state.started?.facts ?? []).map(({ name }) => name)
  const disputed = declared.filter((name) => factNamed(name, state.facts).state === 'conflict')
  const made = template === undefined ? undefined : answerFrom(template, state.facts)
  const missing = made?.ok === false ? made.missing.filter((name) => !disputed.includes(name)) : []
  const lines = [
    ...disputed.map((name) => `Observations disagree about ${name}.`),
    ...missing.map((name) => `The answer needs the fact ${name}, and no observation has established it.`),
  ]
  const evidence = { criterion: 'the facts', holds: false, detail: lines.join('\n') }
  return {
    answer: made?.ok === true ? made.answer : said,
    isMade: made?.ok === true,
    ...(lines.length === 0 ? {} : { evidence }),
  }
}

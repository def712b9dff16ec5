import type { CallParked } from '../core/approval.ts'
import { cardText } from './card.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

export interface WaitingOptions {
  readonly run: string
  /** How Tao is called here: for lines to copy. */
  readonly command: string
  readonly paint: Paint
}

/** What a run waits for, and the lines that answer. */
export const waitingText = (cards: readonly CallParked[], options: WaitingOptions): string =>
  cards.map((card) => waitingCall(card, options)).join('\n')

function waitingCall(card: CallParked, { run, command, paint }: WaitingOptions): string {
  const which = `${run} ${shellWord(card.call)}`
  return [
    `${paint.strong('waiting')}: ${printable(card.name)} needs your approval`,
    cardText(card, paint).trimEnd(),
    `approve it:  ${command} approve ${which}`,
    `deny it:     ${command} deny ${which} --reason "…"`,
    '',
  ].join('\n')
}

/** An id comes from a service: copied to a shell, it must stay one word. */
const shellWord = (text: string): string =>
  /^\w[\w.:-]*$/.test(text) ? text : `'${printable(text).replaceAll("'", "'\\''")}'`

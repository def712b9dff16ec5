import type { CallParked } from '../core/approval.ts'
import type { Effect } from '../core/call.ts'
import type { Json, JsonObject } from '../core/json.ts'
import type { Mark } from '../core/mark.ts'
import { count } from './amounts.ts'
import type { Paint } from './paint.ts'
import { printable, short } from './printable.ts'

/** Stands before every line of a card, so that no text in it can pass for something else. */
const EDGE = '│ '

const EFFECTS: Readonly<Record<Effect, string>> = {
  read: 'reads',
  write: 'changes things',
  egress: 'sends something out: it cannot be called back',
  irreversible: 'does what cannot be undone',
}

const MARKS: Readonly<Record<Mark, string>> = {
  untrusted: 'text that others may have written',
  private: 'private data',
}

/**
 * All that a person must know to answer for a call: every argument in full with where it came from, nothing cut, and nothing
 * that a terminal would obey, hide or turn around.
 */
export function cardText(card: CallParked, paint: Paint): string {
  const { name, call, description, reason, effects, marks, expiresAt, outcomeUnknown } = card
  const lines = [
    `${paint.strong(printable(name))} ${paint.faint(`(call ${printable(call)})`)}`,
    ...textLines(description),
    row('why', short(reason, 600)),
    row('effect', effects.map((effect) => EFFECTS[effect]).join('; ')),
    row('read', marks.length === 0 ? 'nothing that others wrote' : marks.map((mark) => MARKS[mark]).join('; ')),
    ...(outcomeUnknown ? [paint.bad('It may have taken effect already. To approve it is to do it again.')] : []),
    ...Object.entries(card.arguments).flatMap(([argument, value]) => argumentLines({ argument, value }, card, paint)),
    row('until', expiresAt),
  ]
  return lines.map((line) => `${EDGE}${line}\n`).join('')
}

const row = (label: string, text: string): string => `${label.padEnd(8)}${text}`

const textLines = (text: string): string[] => printable(text.trim()).split('\n')

/** A blank that is not the usual one parts no words for a shell, and some are as wide as two. */
const ODD_BLANKS = /(?! )\p{Zs}/gu

const valueLines = (text: string): string[] => printable(text).replaceAll(ODD_BLANKS, codeOf).split('\n')

interface Argument {
  /** `to`, or `to[1]` for a value within. */
  readonly argument: string
  readonly value: Json
}

/** A list is shown value by value, as each may have come from somewhere else. */
function argumentLines({ argument, value }: Argument, card: CallParked, paint: Paint): string[] {
  if (Array.isArray(value) && value.length > 0)
    return value.flatMap((each, at) => argumentLines({ argument: `${argument}[${at}]`, value: each }, card, paint))
  const text = typeof value === 'string' && value !== '' ? value : JSON.stringify(value, undefined, 2)
  const lines = valueLines(text)
  const size = text.length < 200 ? '' : `, ${count(text.length, 'character')} in ${count(lines.length, 'line')}`
  const head = `${paint.strong(printable(argument))} ${paint.faint(`(${originOf(argument, card)}${size})`)}`
  return [head, ...lines.map((line) => `${EDGE}${line}`), ...turnedLines(text, paint)]
}

/** Letters that are written from right to left make a terminal show a line in another order than it has. */
const RIGHT_TO_LEFT = /[\p{Script=Hebrew}\p{Script=Arabic}\p{Script=Syriac}\p{Script=Thaana}\p{Script=Nko}]/u

function turnedLines(text: string, paint: Paint): string[] {
  if (!RIGHT_TO_LEFT.test(text)) return []
  const coded = Array.from(text, (character) => (RIGHT_TO_LEFT.test(character) ? codeOf(character) : character)).join(
    '',
  )
  const note = paint.bad('It has letters that are written from right to left. In their true order, by their codes:')
  return [note, ...valueLines(coded).map((line) => `${EDGE}${line}`)]
}

const codeOf = (character: string): string => `\\u{${(character.codePointAt(0) ?? 0).toString(16)}}`

/** A value within an argument that was changed as a whole came from where the whole came from. */
function originOf(argument: string, { origins }: CallParked): string {
  const found =
    origins.find((each) => each.argument === argument) ?? origins.find((each) => each.argument === wholeOf(argument))
  return found?.origin ?? 'from the call; its source was not looked for'
}

/** `to` of `to[1]`. */
const wholeOf = (argument: string): string => argument.replace(/\[.*/, '')

const CHANGED = 'changed by you'
const BY_SESSION = 'the session'

/** The arguments that a person may change: those that the session does not set. */
export const ownArguments = (card: CallParked): JsonObject =>
  Object.fromEntries(Object.entries(card.arguments).filter(([name]) => originOf(name, card) !== BY_SESSION))

/** The card of the call as a person changed it. */
export function editedCard(card: CallParked, edited: JsonObject): CallParked {
  const own = ownArguments(card)
  const set = Object.entries(card.arguments).filter(([name]) => !Object.hasOwn(own, name))
  const isChanged = (name: string) =>
    Object.hasOwn(own, name) && JSON.stringify(edited[name]) !== JSON.stringify(own[name])
  const changed = Object.entries(edited).filter(([name]) => !Object.hasOwn(own, name) || isChanged(name))
  return {
    ...card,
    arguments: { ...edited, ...Object.fromEntries(set) },
    origins: [
      ...changed.map(([argument, value]) => ({ argument, value, origin: CHANGED })),
      ...card.origins.filter(({ argument }) => !isChanged(wholeOf(argument))),
    ],
  }
}

import type { CallParked } from '../core/approval.ts'
import { describeError } from '../core/error.ts'
import { isJsonObject, type JsonObject, readJson } from '../core/json.ts'
import type { ApprovalAnswer } from '../run/approval.ts'
import type { Answers, Asking } from '../run/run.ts'
import { cardText, editedCard, ownArguments } from './card.ts'
import { editText } from './edit-text.ts'
import { paintFor } from './paint.ts'
import { jsonLine, printable, short } from './printable.ts'
import { forgetTyped, readLine } from './read-line.ts'
import { userName } from './user-name.ts'

export interface AskOptions {
  /** What a person edits texts with; without one they change a line. */
  readonly editor: string | undefined
}

interface Question extends Asking, AskOptions {
  readonly card: CallParked
}

const paint = paintFor(process.stderr)
const say = (text: string): void => void process.stderr.write(text)

/** Asks on the terminal about calls of one reply: all cards at once, then one answer for each. */
export async function askPerson(cards: readonly CallParked[], asking: Asking & AskOptions): Promise<Answers> {
  say(`\n${cards.map((card) => cardText(card, paint)).join('\n')}\n`)
  await forgetTyped()
  const answers: Answers[number][] = []
  for (const [at, card] of cards.entries()) {
    const place = cards.length === 1 ? '' : `${at + 1} of ${cards.length}: `
    const answer = await askAbout(`${place}${short(card.name, 40)}`, { ...asking, card })
    if (answer !== undefined) answers.push({ id: card.call, from: 'terminal', ...answer })
  }
  return answers
}

/** Undefined leaves the call open. */
async function askAbout(what: string, question: Question): Promise<ApprovalAnswer | undefined> {
  const by = userName()
  let edited: JsonObject | undefined
  for (;;) {
    const line = await readLine(`${what}: [a]pprove, [e]dit, [d]eny, or [l]ater? `, question)
    switch (choiceIn(line)) {
      case 'approve':
        return { decision: 'approve', by, ...(edited === undefined ? {} : { edited }) }
      case 'deny':
        return { decision: 'deny', by, reason: (await readLine('Why? The model is told: ', question)) ?? '' }
      case 'later':
        return undefined
      case 'edit':
        edited = (await edit(edited ?? ownArguments(question.card), question)) ?? edited
        if (edited !== undefined) say(`\n${cardText(editedCard(question.card, edited), paint)}\n`)
        break
      default:
        say('Answer with a, e, d or l.\n')
    }
  }
}

const CHOICES = ['approve', 'edit', 'deny', 'later'] as const

/** A whole word or its first letter. Where the input has ended nobody can answer now. */
function choiceIn(line: string | undefined): (typeof CHOICES)[number] | undefined {
  if (line === undefined) return 'later'
  const said = line.trim().toLowerCase()
  return CHOICES.find((choice) => choice === said || choice.charAt(0) === said)
}

/** Asks until the arguments may be run. Undefined when the person gives up. */
async function edit(from: JsonObject, question: Question): Promise<JsonObject | undefined> {
  const { card, editor, findEditProblem } = question
  let text = editor === undefined ? jsonLine(from) : JSON.stringify(from, undefined, 2)
  for (;;) {
    const written = await changed(text, question)
    if (written === undefined || written.trim() === '') return undefined
    const read = readArguments(written)
    if (typeof read === 'string') say(paint.bad(`${printable(read)}\n`))
    else {
      const problem = await findEditProblem(card.call, read)
      if (problem === undefined) return read
      say(paint.bad(`These arguments cannot be approved: ${printable(problem)}\n`))
    }
    text = written
    if (editor === undefined) continue
    const again = await readLine('Edit again? [y/n] ', question)
    if (again?.trim().toLowerCase() !== 'y') return undefined
  }
}

async function changed(text: string, { editor, signal }: Question): Promise<string | undefined> {
  if (editor === undefined) return readLine('Arguments; an empty line leaves them:\n', { signal, text })
  try {
    return await editText(text, editor)
  } catch (error) {
    say(paint.bad(`${printable(describeError(error))}\n`))
    return undefined
  }
}

function readArguments(text: string): JsonObject | string {
  const read = readJson(text)
  if (!read.ok) return `The arguments cannot be read: ${read.problem}.`
  return isJsonObject(read.value) ? read.value : 'The arguments are one JSON object.'
}

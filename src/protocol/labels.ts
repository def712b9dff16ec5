import { begun, begunWords, END } from './begun.ts'
import { type StopMarker, withoutStop } from './stop-gate.ts'

/** The sections of a reply in Thought/Action/Observation. */
export type Label = 'thought' | 'action' | 'input' | 'observation' | 'answer'

/** How models write the labels, in English, Russian and Chinese; longer ones first, since one may begin another. */
const WORDS: Readonly<Record<Label, readonly string[]>> = {
  input: ['Action Input', 'Action_Input', 'Ввод действия', 'Параметры', '行动输入', '动作输入'],
  answer: ['Final Answer', 'FinalAnswer', 'Окончательный ответ', 'Итоговый ответ', '最终答案', '最终回答'],
  observation: ['Observation', 'Наблюдение', '观察结果', '观察'],
  thought: ['Thought', 'Мысль', '思考'],
  action: ['Action', 'Действие', '行动', '动作'],
}

const LABELS = Object.keys(WORDS) as Label[]
const ALL_WORDS = LABELS.flatMap((label) => WORDS[label])

/** Everything is bounded: no reply can make a pattern look far. */
const SPACE = '[ \\t]{0,2}'
const INDENT = ['[ \\t]{0,8}', '\\*{0,2}']
const COLON = [SPACE, '\\d{0,4}', SPACE, '\\*{0,2}', SPACE, '[:：]']
const LABEL_END = [...COLON, '\\*{0,2}']
const anyOf = (words: readonly string[]): string => `(?:${words.join('|')})`

/** One label at the beginning of a line, perhaps in bold or numbered, and its colon. */
const LABEL = new RegExp(`${INDENT.join('')}(${ALL_WORDS.join('|')})${LABEL_END.join('')}`, 'iy')
const FENCE = /[ \t]{0,8}```/y
const FENCE_END = /[ \t]{0,8}```[ \t]{0,8}\r?(?![^\n])/y

const FENCE_BEGUN = begun(['[ \\t]{0,8}', '`', '`', '`', '[ \\t]{0,8}', '\\r?'])
/** What may become a label, or the beginning or end of a fence, when more comes. */
const LINE_BEGUN = new RegExp(`(?:${begunWords(INDENT, ALL_WORDS, LABEL_END)}|${FENCE_BEGUN}${END})`, 'iy')

/** A numbered observation gives itself away in the middle of a line too. */
const INLINE = { gap: '(?<=\\S)[ \\t]{1,8}', end: [SPACE, '\\d{1,4}', SPACE, '[:：]'] }
const LINE_START = '(?<![^\\n])'
const OBSERVATION = anyOf(WORDS.observation)

/** What the model writes as if it had been observed. It ends the reply in a fence too, as it does at the service. */
export const INVENTED_OBSERVATION: StopMarker = {
  whole: new RegExp(
    `${LINE_START}${INDENT.join('')}${OBSERVATION}${COLON.join('')}|${INLINE.gap}${OBSERVATION}${INLINE.end.join('')}`,
    'gi',
  ),
  begun: new RegExp(
    `${LINE_START}${begunWords(INDENT, WORDS.observation, COLON)}|${INLINE.gap}${begunWords([], WORDS.observation, INLINE.end)}|${END}`,
    'gi',
  ),
  isLeak: (rest) => rest.length >= 3 && WORDS.observation.some((word) => word.startsWith(rest.trimEnd())),
}

/** The reply without what the model wrote as if it had been observed, and without a leaked beginning of the stop word. */
export const withoutInvented = (reply: string): string => withoutStop(reply, INVENTED_OBSERVATION).trimEnd()

/** Is told of the sections of a reply in their order. */
export interface SectionListener {
  /** Where the label begins in the reply, and where it ends. */
  label(label: Label, start: number, end: number): void
  text(piece: string): void
}

/** Finds labels while a reply arrives. Labels in fenced code are examples, not sections. */
export class SectionScan {
  readonly #listener: SectionListener
  #held = ''
  /** Where in the reply that is. */
  #offset = 0
  #place: 'line start' | 'behind label' | 'line' = 'line start'
  #isFenced = false

  constructor(listener: SectionListener) {
    this.#listener = listener
  }

  push(piece: string): void {
    this.#read(this.#held + piece, false)
  }

  end(): void {
    this.#read(this.#held, true)
  }

  #read(text: string, isLast: boolean): void {
    let at = 0
    while (at < text.length) {
      if (this.#place === 'line') at = this.#throughLine(text, at)
      else if (isLast || matches(LINE_BEGUN, text, at) === null) at = this.#beginLine(text, at)
      else break
    }
    this.#held = text.slice(at)
    this.#offset += at
  }

  #throughLine(text: string, at: number): number {
    const end = text.indexOf('\n', at) + 1 || text.length
    this.#listener.text(text.slice(at, end))
    if (text[end - 1] === '\n') this.#place = 'line start'
    return end
  }

  /** Passes a label; says where the line goes on. A fence may begin behind a label as well. */
  #beginLine(text: string, at: number): number {
    const mayBeLabel = this.#place === 'line start' && !this.#isFenced
    this.#place = 'line'
    if (matches(this.#isFenced ? FENCE_END : FENCE, text, at)) {
      this.#isFenced = !this.#isFenced
      return at
    }
    const word = mayBeLabel ? matches(LABEL, text, at)?.[1] : undefined
    if (word === undefined) return at
    this.#place = 'behind label'
    this.#listener.label(labelOf(word), this.#offset + at, this.#offset + LABEL.lastIndex)
    return LABEL.lastIndex
  }
}

function matches(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

export interface Section {
  readonly label: Label
  readonly text: string
  /** Where the section ends in the reply. */
  readonly end: number
}

/** The labelled sections of a whole reply. */
export function sectionsOf(reply: string): Section[] {
  const found: { readonly label: Label; readonly start: number; readonly from: number }[] = []
  const scan = new SectionScan({ label: (label, start, from) => found.push({ label, start, from }), text: () => {} })
  scan.push(reply)
  scan.end()
  return found.map(({ label, from }, i) => {
    const end = found[i + 1]?.start ?? reply.length
    return { label, text: reply.slice(from, end).trim(), end }
  })
}

const labelOf = (word: string): Label =>
  LABELS.find((label) => WORDS[label].some((each) => each.toLowerCase() === word.toLowerCase())) ?? 'thought'

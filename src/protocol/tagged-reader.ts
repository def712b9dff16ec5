import { begun, END } from './begun.ts'
import { findMark, type Marks, marksOf } from './marks.ts'
import { ObjectScan } from './object-scan.ts'
import { type ReplyReader, readerOf, type Sorter } from './reader.ts'
import { ShownText } from './shown-text.ts'
import type { StopMarker } from './stop-gate.ts'
import { CLOSE_THINK, OPEN_THINK } from './think-tags.ts'

const STOP = '<tool_response>'

/** What the model writes as if it were a result. It ends the reply wherever it stands, as it does at the service. */
export const INVENTED_RESULT: StopMarker = {
  whole: new RegExp(STOP, 'g'),
  begun: new RegExp(begun([...STOP]) + END, 'g'),
  isLeak: (rest) => rest.length >= 3,
}

export const openTaggedReader = (): ReplyReader => readerOf((shown) => new TaggedSorter(shown), INVENTED_RESULT)

/** Calls in thoughts are thoughts. Thinking ends at the last closing tag that stands in no answer and no call. */
export function endOfThinking(text: string): number {
  const sorter = new TaggedSorter(new ShownText())
  sorter.push(text)
  return sorter.endOfThinking
}

/** Where in a reply: `lost` is behind an answer in thoughts that never ended, `object` in an object of a call. */
type Place = 'outside' | 'thinking' | 'lost' | 'call' | 'object' | 'code' | 'answer'

const BRACE = '{'

const MARKS: Readonly<Record<Exclude<Place, 'object'>, Marks>> = {
  outside: marksOf(...OPEN_THINK, ...CLOSE_THINK, '<tool_call>', '</tool_call>', '<answer>'),
  thinking: marksOf(...CLOSE_THINK, '<answer>'),
  lost: marksOf(),
  call: marksOf(...CLOSE_THINK, '<tool_call>', '</tool_call>', '<code>', BRACE),
  code: marksOf('</code>'),
  answer: marksOf('</answer>'),
}

/** What stands in no tag is a thought. Tags in the object of a call, or in an answer, are its text. */
class TaggedSorter implements Sorter {
  readonly #shown: ShownText
  #place: Place = 'outside'
  #held = ''
  #object = new ObjectScan()
  #isFirst = true
  #hasCall = false
  #hasAnswer = false
  /** How much of the reply was passed, and up to where it was thought. */
  #passed = 0
  #thought = 0

  constructor(shown: ShownText) {
    this.#shown = shown
  }

  push(piece: string): void {
    const text = this.#held + piece
    let at = 0
    for (let next = this.#next(text, at); next !== undefined; next = this.#next(text, at)) {
      this.#passed += next - at
      at = next
    }
    this.#held = text.slice(at)
  }

  end(): void {
    this.#shown.write(this.#held)
  }

  /** Where the thoughts end in what has come so far. */
  get endOfThinking(): number {
    return this.#place === 'thinking' || this.#place === 'lost' ? this.#passed + this.#held.length : this.#thought
  }

  /** Goes on, perhaps to another place, and says where; undefined when that takes more text. */
  #next(text: string, at: number): number | undefined {
    if (at === text.length) return undefined
    if (this.#place === 'object') return this.#throughObject(text, at)
    const { end, mark = '' } = findMark(MARKS[this.#place], text, at)
    this.#write(text.slice(at, end))
    if (mark.startsWith('</think')) this.#endThinking(end - at + mark.length)
    else if (mark === BRACE) this.#openObject()
    else if (mark !== '') this.#pass(mark)
    const next = mark === BRACE ? end : end + mark.length
    return next === at && mark === '' ? undefined : next
  }

  #write(text: string): void {
    if (text.trim() !== '') this.#isFirst = false
    this.#shown.write(text)
  }

  #pass(mark: string): void {
    const isFirst = this.#isFirst
    this.#isFirst = false
    if (mark.startsWith('<think')) this.#enter(isFirst ? 'thinking' : this.#place)
    else if (mark === '<tool_call>') this.#openCall()
    else if (mark === '<answer>' && this.#place === 'thinking') this.#enter('lost')
    else if (mark === '<answer>') this.#openAnswer()
    else if (mark === '<code>') this.#openCode()
    else this.#enter(mark === '</code>' ? 'call' : 'outside')
  }

  #enter(place: Place): void {
    const isSame = this.#place === place
    this.#place = place
    if (!isSame && (place === 'outside' || place === 'thinking')) this.#shown.begin('reasoning')
  }

  /** What looked like calls before was thought, unless an answer stood before it. */
  #endThinking(length: number): void {
    this.#isFirst = false
    if (!this.#hasAnswer) {
      this.#hasCall = false
      this.#thought = this.#passed + length
    }
    this.#enter('outside')
  }

  #openCall(): void {
    this.#hasCall = true
    this.#place = 'call'
    this.#shown.begin('call')
  }

  #openCode(): void {
    this.#place = 'code'
    this.#shown.begin('call')
  }

  #openObject(): void {
    this.#object = new ObjectScan()
    this.#place = 'object'
  }

  /** Only the first answer counts, and none beside a call or in thoughts. */
  #openAnswer(): void {
    this.#place = 'answer'
    this.#shown.begin(this.#hasCall || this.#hasAnswer ? 'text' : 'answer')
    this.#hasAnswer = true
  }

  /** A tag outside of strings ends it as well: then it is none. */
  #throughObject(text: string, from: number): number {
    let at = from
    while (at < text.length && this.#place === 'object') {
      const isTag = text[at] === '<' && !this.#object.isInString
      if (!isTag) this.#object.take(text[at++] ?? '')
      if (isTag || this.#object.depth === 0) this.#place = 'call'
    }
    this.#write(text.slice(from, at))
    return at
  }
}

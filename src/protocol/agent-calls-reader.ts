import { ObjectScan } from './object-scan.ts'
import { type ReplyReader, readerOf, type Sorter } from './reader.ts'
import type { ShownText } from './shown-text.ts'

/**
 * What stands in the object beside its calls is shown when the reply has ended and not before: only then is it known whether
 * the response is the answer. `answerIn` reads it from the whole reply.
 */
export const openAgentCallsReader = (answerIn: (text: string) => string | undefined): ReplyReader =>
  readerOf((shown) => new AgentCallsSorter(shown, answerIn))

/** No key that matters is longer, its quotes and white space included. */
const LONGEST_KEY = 40

class AgentCallsSorter implements Sorter {
  readonly #shown: ShownText
  readonly #answerIn: (text: string) => string | undefined
  readonly #object = new ObjectScan()
  #place: 'before' | 'object' | 'after' = 'before'
  /** The key whose value is read, or that is being read. */
  #key = ''
  #isKey = true
  #isCall = false

  constructor(shown: ShownText, answerIn: (text: string) => string | undefined) {
    this.#shown = shown
    this.#answerIn = answerIn
  }

  push(text: string): void {
    let at = 0
    if (this.#place === 'before') at = this.#throughProse(text)
    if (this.#place === 'object') at = this.#throughObject(text, at)
    if (this.#place === 'after') this.#shown.write(text.slice(at))
  }

  end(whole: string): void {
    const answer = this.#answerIn(whole)
    if (answer === undefined) return
    this.#shown.begin('answer')
    this.#shown.write(answer)
  }

  #throughProse(text: string): number {
    const brace = text.indexOf('{')
    this.#shown.write(brace === -1 ? text : text.slice(0, brace))
    if (brace === -1) return text.length
    this.#place = 'object'
    return brace
  }

  #throughObject(text: string, from: number): number {
    let start = from
    for (let at = from; at < text.length; at++) {
      const before = this.#isCall
      this.#take(text[at] ?? '')
      if (this.#isCall && !before) start = at
      if (before && !this.#isCall) this.#shown.write(text.slice(start, at + 1))
      if (this.#object.depth > 0) continue
      this.#place = 'after'
      this.#shown.begin('reasoning')
      return at + 1
    }
    if (this.#isCall) this.#shown.write(text.slice(start))
    return text.length
  }

  /** One character of the object; each object in its list of calls is a call. */
  #take(char: string): void {
    const { depth, isInString } = this.#object
    this.#object.take(char)
    if (depth <= 1 && !isInString) this.#takeOfKey(char)
    else if (depth === 1 && this.#isKey && this.#key.length < LONGEST_KEY) this.#key += char
    if (depth === 2 && this.#object.depth === 3 && char === '{' && this.#isCallList()) this.#openCall()
    if (depth === 3 && this.#object.depth === 2) this.#isCall = false
  }

  #takeOfKey(char: string): void {
    if (char === '{' || char === ',') {
      this.#key = ''
      this.#isKey = true
    } else if (char === ':') this.#isKey = false
    else if (this.#isKey && this.#key.length < LONGEST_KEY) this.#key += char
  }

  #isCallList(): boolean {
    return /^\s*(["']?)agent_calls\1\s*$/.test(this.#key)
  }

  #openCall(): void {
    this.#isCall = true
    this.#shown.begin('call')
  }
}

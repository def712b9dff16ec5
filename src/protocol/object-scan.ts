/**
 * Follows an object as models write it, one character at a time: where its strings are and how deep it is nested. Enough to
 * show it; what is executed is read from the whole.
 */
export class ObjectScan {
  /** Braces and brackets that are open. */
  depth = 0
  #quote: string | undefined
  #isEscaped = false
  /** The last character that was no white space. */
  #last = ''

  get isInString(): boolean {
    return this.#quote !== undefined
  }

  take(char: string): void {
    if (this.#isEscaped) this.#isEscaped = false
    else if (this.#quote !== undefined) this.#takeInString(char)
    else this.#takeOutside(char)
    if (!/\s/.test(char)) this.#last = char
  }

  #takeInString(char: string): void {
    if (char === '\\') this.#isEscaped = true
    else if (char === this.#quote) this.#quote = undefined
  }

  /** A single quote opens a string only where a value or a key can begin. */
  #takeOutside(char: string): void {
    if (char === '"' || (char === "'" && '{[,:'.includes(this.#last))) this.#quote = char
    else if (char === '{' || char === '[') this.depth += 1
    else if (char === '}' || char === ']') this.depth -= 1
  }
}

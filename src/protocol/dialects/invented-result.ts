/** How results look. A model that writes one behind a call has made it up. */
export const RESULT =
  /<\|?tool_(?:response|result)|\[TOOL_RESULTS?\]|<[｜|]tool[▁_]outputs?[▁_]|<start_function_response>|<function_results?>/

/** Begins a call in the dialects that mark one. */
const CALL =
  /<[|｜]?(?:minimax:)?tool[▁_]call|<[|｜]DSML[|｜]|<function=|<invoke |\[TOOL_(?:CALLS|REQUEST)\]|<(?:start_)?function_calls?>|<\|python_start\|>|\sto=functions\./

/** No mark of a result is longer, up to where it is one for certain. */
const LONGEST = 26

/** Lets the text of a reply through up to a result that the model writes behind a call in it, however the text is cut. */
export class InventionGate {
  /** The end of what was let through: a mark may have begun in it. */
  #before = ''
  #held = ''
  #hasCall = false
  #stopped = false

  push(piece: string): string {
    if (this.#stopped) return ''
    const text = this.#held + piece
    const from = this.#behindCall(text)
    if (from === undefined) return this.#letThrough(text, text.length)
    const at = text.slice(from).search(RESULT)
    this.#stopped = at !== -1
    return this.#letThrough(text, this.#stopped ? from + at : beginOfMark(text))
  }

  /** From where on a mark counts; undefined while no call has begun. */
  #behindCall(text: string): number | undefined {
    if (this.#hasCall) return 0
    const call = CALL.exec(this.#before + text)
    this.#hasCall = call !== null
    return call === null ? undefined : Math.max(0, call.index + call[0].length - this.#before.length)
  }

  end(): string {
    return this.#stopped ? '' : this.#held
  }

  #letThrough(text: string, end: number): string {
    this.#held = this.#stopped ? '' : text.slice(end)
    this.#before = (this.#before + text.slice(0, end)).slice(-LONGEST)
    return text.slice(0, end)
  }
}

/** Where a mark may begin that goes on beyond the end of the text. */
function beginOfMark(text: string): number {
  const at = Math.max(text.lastIndexOf('<'), text.lastIndexOf('['))
  return at === -1 || text.length - at > LONGEST ? text.length : at
}

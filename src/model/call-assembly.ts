import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { RawCall } from '../core/request.ts'
import { argumentsText, textOf } from './chat-choice.ts'

interface OpenCall {
  id: string | undefined
  name: string
  readonly pieces: string[]
}

/**
 * Puts calls together from the pieces of a stream. Services disagree about what marks a piece's call: an id, an index
 * (which some repeat for every call, and others leave out), or only the order.
 */
export class CallAssembly {
  readonly #calls: OpenCall[] = []
  readonly #byIndex = new Map<number, OpenCall>()

  /** Takes a piece and gives what it adds, to be shown: a call begins with its name, and each but the first on a new line. */
  add(delta: JsonObject): string {
    const wanted = isJsonObject(delta.function) ? delta.function : {}
    const piece: Piece = {
      id: textOf(delta.id),
      index: typeof delta.index === 'number' ? delta.index : undefined,
      name: textOf(wanted.name),
      text: argumentsText(wanted.arguments),
    }
    const begun = this.#callOf(piece)
    const call = begun ?? this.#open()
    if (piece.index !== undefined) this.#byIndex.set(piece.index, call)
    call.id ??= piece.id
    if (piece.name?.startsWith(call.name)) call.name = piece.name
    if (piece.text !== '') call.pieces.push(piece.text)
    const lead = this.#calls.length > 1 ? '\n' : ''
    return begun === undefined ? `${lead}${call.name} ${piece.text}` : piece.text
  }

  /** The calls in the order in which they began. */
  calls(): readonly RawCall[] {
    return this.#calls
      .map(({ id, name, pieces }) => ({ ...(id === undefined ? {} : { id }), name, arguments: joined(pieces) }))
      .filter((call) => call.name !== '' || call.arguments !== '')
  }

  #open(): OpenCall {
    const call = { id: undefined, name: '', pieces: [] }
    this.#calls.push(call)
    return call
  }

  /** The call a piece goes on with; undefined when it begins one. */
  #callOf(piece: Piece): OpenCall | undefined {
    const { id, index } = piece
    const known = id === undefined ? undefined : this.#calls.findLast((call) => call.id === id)
    if (known !== undefined) return known
    const there = index === undefined ? undefined : this.#byIndex.get(index)
    // An index never seen begins a call when a name comes with it; without one it is the tail of the last call.
    const current = there ?? (index !== undefined && piece.name !== undefined ? undefined : this.#calls.at(-1))
    return current === undefined || beginsAnother(piece, current) ? undefined : current
  }
}

interface Piece {
  readonly id: string | undefined
  readonly index: number | undefined
  readonly name: string | undefined
  readonly text: string
}

function beginsAnother({ id, name }: Piece, current: OpenCall): boolean {
  const isNamed = name !== undefined && current.name !== ''
  if (id !== undefined && current.id !== undefined) return name !== undefined || isJson(current.pieces.join(''))
  return isNamed && (!name.startsWith(current.name) || isJson(current.pieces.join('')))
}

/**
 * The arguments the model wrote. Where the pieces do not add up to JSON, two habits of services are undone: sending the
 * last piece twice, and sending everything so far again with each piece. Anything else is left as it came.
 */
function joined(pieces: readonly string[]): string {
  const all = pieces.join('')
  const last = pieces.at(-1)
  if (last === undefined || pieces.length === 1 || isJson(all)) return all
  if (pieces.every((piece, at) => (pieces[at + 1] ?? last).startsWith(piece)) && isJson(last)) return last
  const before = all.slice(0, -last.length)
  return before.endsWith(last) && isJson(before) ? before : all
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

import { readJson } from '../../core/json.ts'
import { skipBlanks } from '../../core/python-literal.ts'
import { endOfObject, findStray, readLooseObject } from '../loose-json.ts'
import { argumentsOf, readSpokenCall, type SpokenCall, unreadable } from '../spoken-call.ts'
import { behind, type Marks, markFinder } from './scan.ts'

/** An object in a text, and why it cannot be taken for certain. */
interface FoundObject {
  readonly text: string
  readonly end: number
  readonly problem?: string
}

/** Reads the objects of calls in a text. */
export interface ObjectReader {
  /** A call that is an object, or a list of such. */
  calls(start: number): { readonly calls: readonly SpokenCall[]; readonly end: number }
  /** A call of which the object holds only the arguments. */
  call(name: string, start: number): { readonly call: SpokenCall; readonly end: number }
}

/**
 * An object that is whole may hold marks in its texts, then as strict JSON only. The first broken one is sought through the
 * whole text, those after it only up to their mark: hostile texts cost two looks, not one for each block.
 */
export function objectReader(text: string, marks: Marks): ObjectReader {
  const finder = markFinder(text, marks)
  let lost = false

  function find(start: number, inList: boolean): FoundObject {
    const limit = finder.next(start)
    const end = lost ? undefined : endOfObject(text, start)
    if (end !== undefined && (end <= limit || readJson(text.slice(start, end)).ok)) return found(start, end, inList)
    lost = true
    const inner = endOfObject(text.slice(start, limit), 0)
    if (inner !== undefined) return found(start, start + inner, inList)
    return broken(start, start, 'it has no end')
  }

  function found(start: number, end: number, inList: boolean): FoundObject {
    const object = text.slice(start, end)
    const problem = findDoubt(object) ?? (inList ? undefined : findStray(text, end))
    return problem === undefined ? { text: object, end } : broken(start, end, problem)
  }

  function broken(start: number, from: number, problem: string): FoundObject {
    const end = finder.endOfBroken(from)
    return { text: text.slice(start, end), end, problem }
  }

  function list(start: number): { calls: SpokenCall[]; end: number } {
    const calls: SpokenCall[] = []
    for (let at = skipBlanks(text, start + 1); text[at] === '{'; ) {
      const object = find(at, true)
      calls.push(callIn(object))
      at = behind(/,/y, text, object.end)
      const next = skipBlanks(text, at)
      if (text[next] === ']' || next === text.length) return { calls, end: Math.min(next + 1, text.length) }
      if (at === object.end || text[next] !== '{') {
        const rest = broken(next, next, 'the list breaks off')
        return { calls: object.problem === undefined ? [...calls, callIn(rest)] : calls, end: rest.end }
      }
      at = next
    }
    return { calls, end: behind(/\]/y, text, start + 1) }
  }

  return {
    calls(start) {
      if (text[start] === '[') return list(start)
      const object = find(start, false)
      return { calls: [callIn(object)], end: object.end }
    },
    call(name, start) {
      const object = find(start, false)
      if (object.problem === undefined) return { call: { name, ...argumentsOf(object.text) }, end: object.end }
      return {
        call: { ...unreadable(object.text, `the arguments cannot be read: ${object.problem}`), name },
        end: object.end,
      }
    },
  }
}

/** Where an object cannot be read at all, a quote in it may have been taken for another, and its end for certain is not this. */
function findDoubt(object: string): string | undefined {
  const strict = readJson(object)
  if (strict.ok || !strict.syntax) return undefined
  const loose = readLooseObject(object)
  return loose.ok ? undefined : loose.problem
}

const callIn = (object: FoundObject): SpokenCall =>
  object.problem === undefined
    ? readSpokenCall(object.text)
    : unreadable(object.text, `the call cannot be read: ${object.problem}`)

/** Behind the opening line of a code fence, where an object stands in one. */
export const behindFence = (text: string, at: number): number => skipBlanks(text, behind(/```\w{0,20}/y, text, at))

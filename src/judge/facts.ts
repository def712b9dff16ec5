import { TaoError } from '../core/error.ts'
import { isJsonObject, type Json, readJson } from '../core/json.ts'
import type { FactDeclaration, FactSource, FactValue, KnownFact } from '../core/known-fact.ts'
import { matchCall } from './call-match.ts'
import type { RecordedCall } from './criterion.ts'
import { readPattern } from './pattern.ts'

/** The facts that a task declares, ready to be read from results. */
export interface DeclaredFacts {
  readonly declarations: readonly FactDeclaration[]
  /** What this call establishes. A call that failed establishes nothing, nor does a result of another shape. */
  read(call: RecordedCall): readonly KnownFact[]
}

/** Throws a `TaoError` for a source without one way to find the value, and for a pattern or path that cannot be read. */
export function declareFacts(declarations: readonly FactDeclaration[]): DeclaredFacts {
  const readers = declarations.map(({ name, from }) => ({
    name,
    sources: from.map((source) => openSource(name, source)),
  }))
  return {
    declarations,
    read: (call) =>
      readers.flatMap(({ name, sources }) => {
        for (const readSource of sources) {
          const value = call.ok ? readSource(call) : undefined
          if (value !== undefined) return [{ fact: name, value, call: call.id, from: call.seq, source: sourceOf(call) }]
        }
        return []
      }),
  }
}

function openSource(name: string, source: FactSource): (call: RecordedCall) => FactValue | undefined {
  const { pattern, path } = source
  if ((pattern === undefined) === (path === undefined))
    throw new TaoError('fact', `The fact ${name} needs one way to find its value in a result of ${source.tool}.`, {
      fix: 'Write either pattern: /expression/ or path: items[0].id',
    })
  const isMeant = matchCall(source)
  const find = path === undefined ? readPattern(pattern ?? '').valueIn : valueAt(name, path)
  return (call) => (isMeant(call) ? find(call.observation) : undefined)
}

const PATH = /^[^.[\]]+(?:\.[^.[\]]+|\[\d+\])*$/

function valueAt(name: string, path: string): (text: string) => FactValue | undefined {
  if (!PATH.test(path))
    throw new TaoError('fact', `The path "${path}" of the fact ${name} cannot be read.`, {
      fix: 'Write it like items[0].id',
    })
  const keys = path.split(/[.[\]]+/).filter((key) => key !== '')
  return (text) => {
    const read = readJson(text.trim())
    const value = read.ok ? keys.reduce<Json | undefined>(step, read.value) : undefined
    return typeof value === 'object' ? undefined : value
  }
}

function step(value: Json | undefined, key: string): Json | undefined {
  if (Array.isArray(value)) return value[Number(key)]
  return isJsonObject(value) && Object.hasOwn(value, key) ? value[key] : undefined
}

/** The same for the same tool and the same arguments, in whatever order they were written. */
function sourceOf({ name, arguments: given = {} }: RecordedCall): string {
  const sorted = Object.fromEntries(Object.entries(given).sort(([a], [b]) => (a < b ? -1 : 1)))
  return `${name} ${JSON.stringify(sorted)}`
}

import { hash } from 'node:crypto'
import type { ToolDefinition } from '../core/request.ts'

type Named = Pick<ToolDefinition, 'name'>

const LONGEST = 64
const SENDABLE = new RegExp(`^[A-Za-z0-9_-]{1,${LONGEST}}$`)

/**
 * Services take names of at most 64 letters, digits, "_" and "-" only. A tool whose name is another is told to them under
 * one of these, the same in every request of a run; no two tools share one.
 */
export function wireName(name: string, tools: readonly Named[]): string {
  return SENDABLE.test(name) ? name : (translations(tools).get(name) ?? name)
}

/** The tool that a service calls by this name; a name that belongs to none stays as it is. */
export function toolName(sent: string, tools: readonly Named[]): string {
  if (tools.some(({ name }) => name === sent)) return sent
  const known = [...translations(tools)].find(([, wire]) => wire === sent)
  return known?.[0] ?? sent
}

/** From the names that cannot be sent to those that are. Plain ones come first, so that only doubles get a suffix. */
function translations(tools: readonly Named[]): ReadonlyMap<string, string> {
  const others = tools.map(({ name }) => name).filter((name) => !SENDABLE.test(name))
  const taken = new Set(tools.map(({ name }) => name).filter((name) => SENDABLE.test(name)))
  const isDouble = (name: string) => others.some((other) => other !== name && plain(other) === plain(name))
  const free = others.filter((name) => plain(name).length <= LONGEST && !taken.has(plain(name)) && !isDouble(name))
  const found = new Map(free.map((name) => [name, plain(name)]))
  for (const wire of found.values()) taken.add(wire)
  for (const name of others.filter((each) => !found.has(each))) {
    let wire = suffixed(name, 0)
    for (let n = 1; taken.has(wire); n++) wire = suffixed(name, n)
    taken.add(wire)
    found.set(name, wire)
  }
  return found
}

const plain = (name: string): string => name.replaceAll(/[^A-Za-z0-9_-]/g, '_')

function suffixed(name: string, n: number): string {
  const suffix = hash('sha256', n === 0 ? name : `${name} ${n}`, 'hex').slice(0, 8)
  return `${plain(name).slice(0, LONGEST - 9)}_${suffix}`
}

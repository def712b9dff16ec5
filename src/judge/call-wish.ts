import type { Json, JsonObject } from '../core/json.ts'

/** Which calls are meant: those of a tool whose arguments have these values. */
export interface CallWish {
  readonly tool: string
  /** A text is that text, `/expression/` a pattern, all else the value itself. Arguments that are not named may be anything. */
  readonly with?: JsonObject
}

/** `read_file { path: "a.ts" }`, as people read it. */
export function describeCall({ tool, with: wanted = {} }: CallWish): string {
  const inner = Object.entries(wanted).map(([name, value]) => `${name}: ${showArgument(value)}`)
  return inner.length === 0 ? tool : `${tool} { ${inner.join(', ')} }`
}

const showArgument = (value: Json): string =>
  typeof value === 'string' && value.startsWith('/') ? value : JSON.stringify(value)

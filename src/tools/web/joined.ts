import type { ToolResult } from '../../core/call.ts'
import type { Json } from '../../core/json.ts'

/** What one of several queries or addresses of a call gave. */
export interface Part {
  readonly ok: boolean
  readonly text: string
  readonly value: Json
}

/** Stands between the parts, as models that were trained with the original expect it. */
const LINE = '\n=======\n'

/** One result of several parts: good when any of them is, since the text says which are not. */
export const joined = (parts: readonly Part[]): ToolResult => ({
  ok: parts.some(({ ok }) => ok),
  text: parts.map(({ text }) => text).join(LINE),
  value: parts.map(({ value }) => value),
})

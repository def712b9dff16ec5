import { skipBlanks } from '../../core/python-literal.ts'
import type { Dialect } from './dialect.ts'
import { objectReader } from './objects.ts'
import { matchAt, readBlocks } from './scan.ts'

const MARK = /\[TOOL_CALLS\]/
const NO_CLOSING = /(?!)/

/** Mistral up to v10: `[TOOL_CALLS]` and a list of objects. From v11: `[TOOL_CALLS]name{…}` for each call. */
export const mistral: Dialect = {
  name: 'mistral',
  read(text) {
    const objects = objectReader(text, { opening: MARK, closing: NO_CLOSING })
    return readBlocks(text, MARK, (_, from) => {
      const at = skipBlanks(text, from)
      if (/^\[\s*[{\]]/.test(text.slice(at, at + 100))) return objects.calls(at)
      const head = matchAt(/([^\s{}[\]]{1,256})(?:\[CALL_ID\](\w{1,64}))?(?:\[ARGS\])?/y, text, at)
      const start = head === undefined ? at : skipBlanks(text, at + head[0].length)
      if (head === undefined || text[start] !== '{') return undefined
      const [, name = '', id] = head
      const { call, end } = objects.call(name, start)
      return { calls: [{ ...call, ...(id === undefined ? {} : { givenId: id }) }], end }
    })
  },
}

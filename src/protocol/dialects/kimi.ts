import { skipBlanks } from '../../core/python-literal.ts'
import type { Dialect } from './dialect.ts'
import { objectReader } from './objects.ts'
import { behind, matchAt, readBlocks } from './scan.ts'

const BEGIN = /(?:<\|tool_calls?_section_begin\|>\s*)?<\|tool_call_begin\|>/
const HEAD = /\s*([^\s<>]{1,256})\s*<\|tool_call_argument_begin\|>/y

/** Kimi K2: `functions.NAME:INDEX`, which is the call's id too, and an object, between marks. */
export const kimi: Dialect = {
  name: 'kimi-k2',
  read(text) {
    const objects = objectReader(text, { opening: /<\|tool_call_begin\|>/, closing: /<\|tool_call_end\|>/ })
    return readBlocks(text, BEGIN, (_, from) => {
      const head = matchAt(HEAD, text, from)
      const start = head === undefined ? from : skipBlanks(text, from + head[0].length)
      if (head === undefined || text[start] !== '{') return undefined
      const givenId = head[1] ?? ''
      const name = givenId.replace(/^functions\./, '').replace(/:\d+$/, '')
      const { call, end } = objects.call(name, start)
      const closed = behind(/<\|tool_call_end\|>/y, text, end)
      return { calls: [{ ...call, givenId }], end: behind(/<\|tool_calls?_section_end\|>/y, text, closed) }
    })
  },
}

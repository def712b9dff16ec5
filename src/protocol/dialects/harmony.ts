import { skipBlanks } from '../../core/python-literal.ts'
import { unreadable } from '../spoken-call.ts'
import type { Dialect } from './dialect.ts'
import { objectReader } from './objects.ts'
import { behind, readBlocks, seeker } from './scan.ts'

const HEADER =
  /(?:<\|start\|>[^<]{0,200})?<\|channel\|>([^<]{0,200})(?:<\|constrain\|>[^<]{0,50})?<\|message\|>|<\|(?:end|return)\|>/
const END = /<\|(?:call|end|return|start|channel)\|>/

/**
 * gpt-oss: messages in channels; one that names a recipient, `to=functions.NAME`, is a call. What the analysis says is a
 * thought and no part of the text.
 */
export const harmony: Dialect = {
  name: 'harmony',
  read(text) {
    const objects = objectReader(text, { opening: /<\|(?:start|channel)\|>/, closing: /<\|(?:call|end|return)\|>/ })
    const nextEnd = seeker(text, END)
    const withoutObject = (name: string, start: number) => {
      const end = nextEnd(start)
      const body = text.slice(start, end)
      const call =
        body === '' && text.startsWith('<|call|>', end)
          ? { name, arguments: '{}' }
          : { ...unreadable(body, 'the arguments are no object'), name }
      return { call, end }
    }
    return readBlocks(text, HEADER, ([header, channel = ''], from) => {
      const recipient = /\bto=([^\s<|]+)/.exec(header)?.[1]
      if (recipient === undefined) return { calls: [], end: channel.startsWith('analysis') ? nextEnd(from) : from }
      const name = recipient.replace(/^functions\./, '')
      const start = skipBlanks(text, from)
      const { call, end } = text[start] === '{' ? objects.call(name, start) : withoutObject(name, start)
      return { calls: [call], end: behind(/<\|call\|>/y, text, end) }
    })
  },
}

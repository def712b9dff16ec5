import { skipBlanks } from '../../core/python-literal.ts'
import type { Block, Dialect } from './dialect.ts'
import { behindFence, objectReader } from './objects.ts'
import { behind, matchAt, readBlocks } from './scan.ts'

/** DeepSeek V3 and R1: type, separator, name, and the arguments in fenced JSON. */
export const deepseekV3: Dialect = { name: 'deepseek-v3', read: (text) => readSeparated(text, 'fenced') }

/** DeepSeek V3.1: name, separator, and the arguments without a fence. */
export const deepseekV31: Dialect = { name: 'deepseek-v3.1', read: (text) => readSeparated(text, 'bare') }

/** Bars and blanks as the models write them, and as they look when something made them ASCII. */
const mark = (words: string): string => `<[｜|]${words.replaceAll('_', '[▁_]')}[｜|]>`

const BEGIN = new RegExp(`(?:${mark('tool_calls_begin')}\\s*)?${mark('tool_call_begin')}`)
const END = new RegExp(mark('tool_call_end'), 'y')
const ALL_END = new RegExp(mark('tool_calls_end'), 'y')
const HEAD = new RegExp(`\\s*([^<>\\n]{1,256})${mark('tool_sep')}`, 'y')
const NAME_LINE = /([^\n<{`]{1,256})\n/y

function readSeparated(text: string, form: 'fenced' | 'bare'): Block[] {
  const objects = objectReader(text, { opening: new RegExp(mark('tool_call_begin')), closing: END })
  return readBlocks(text, BEGIN, (_, from) => {
    const head = matchAt(HEAD, text, from)
    if (head === undefined) return undefined
    const at = skipBlanks(text, from + head[0].length)
    const line = form === 'bare' || text[at] === '{' ? undefined : matchAt(NAME_LINE, text, at)
    if ((line === undefined) !== (form === 'bare')) return undefined
    const start = behindFence(text, at + (line?.[0].length ?? 0))
    if (text[start] !== '{') return undefined
    const { call, end } = objects.call((line?.[1] ?? head[1] ?? '').trim(), start)
    return { calls: [call], end: behind(ALL_END, text, behind(END, text, behind(/```/y, text, end))) }
  })
}

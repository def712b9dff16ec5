import { skipBlanks } from '../../core/python-literal.ts'
import { type SpokenCall, unreadable } from '../spoken-call.ts'
import type { Block, Dialect } from './dialect.ts'
import { readGemmaValue } from './gemma-value.ts'
import { behind, type Marks, markFinder, marks, matchAt, readBlocks } from './scan.ts'

/** Gemma 4: `<|tool_call>call:NAME{key:<|"|>text<|"|>}<tool_call|>`. */
export const gemma: Dialect = {
  name: 'gemma',
  read: (text) => readCalls(text, { ...marks('<|tool_call>', '<tool_call|>'), quote: '<|"|>' }),
}

/** FunctionGemma: the same with other marks. */
export const functionGemma: Dialect = {
  name: 'function-gemma',
  read: (text) => readCalls(text, { ...marks('<start_function_call>', '<end_function_call>'), quote: '<escape>' }),
}

interface Form extends Marks {
  readonly quote: string
}

function readCalls(text: string, { opening, closing, quote }: Form): Block[] {
  const finder = markFinder(text, { opening, closing })
  let broken = false
  return readBlocks(text, opening, (_, from) => {
    const start = skipBlanks(text, from)
    if (!text.startsWith('call:', start)) return undefined
    // After a broken call, each is read up to its own mark only: hostile texts cost two looks, not one for each call.
    const read = readCall(broken ? text.slice(0, finder.next(start)) : text, start, quote)
    broken ||= read === undefined
    const end = read?.end ?? finder.endOfBroken(start)
    const call = read?.call ?? unreadable(text.slice(start, end), 'the call is not call:NAME{key:value}')
    return { calls: [call], end: behind(closing, text, end) }
  })
}

function readCall(text: string, start: number, quote: string): { call: SpokenCall; end: number } | undefined {
  const head = matchAt(/call:([^\s{}<>:]{1,256})\s?(?=\{)/y, text, start)
  const read = head === undefined ? undefined : readGemmaValue(text, start + head[0].length, quote)
  if (head === undefined || read === undefined) return undefined
  return { call: { name: head[1] ?? '', arguments: JSON.stringify(read.value) }, end: read.end }
}

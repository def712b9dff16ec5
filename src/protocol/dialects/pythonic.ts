import { skipBlanks } from '../../core/python-literal.ts'
import { unreadable } from '../spoken-call.ts'
import type { Block, Dialect, KnownTool } from './dialect.ts'
import { readPythonCalls } from './python-calls.ts'
import { behind, type Marks, markFinder, marks, readBlocks } from './scan.ts'
import { spokenStart } from './thinking.ts'

/** LFM2: a list of calls between its own marks. */
export const lfm2: Dialect = {
  name: 'lfm2',
  read: (text) => readMarked(text, marks('<|tool_call_start|>', '<|tool_call_end|>')),
}

/** Llama 4: a list of calls, in marks of Python or as the whole reply. Olmo 3: a call a line in `<function_calls>`. */
export const pythonic: Dialect = {
  name: 'pythonic',
  read(text, known) {
    const llama = readMarked(text, marks('<|python_start|>', '<|python_end|>'))
    if (llama.length > 0) return llama
    const olmo = readMarked(text, marks('<function_calls>', '</function_calls>'))
    return olmo.length > 0 ? olmo : readBare(text, known)
  },
}

function readMarked(text: string, { opening, closing }: Marks): Block[] {
  const finder = markFinder(text, { opening, closing })
  let broken = false
  return readBlocks(text, opening, (_, from) => {
    const start = skipBlanks(text, behind(/\[/y, text, from))
    // A text in a call may hold the mark. Once a block was broken, each is read as far as it goes for certain.
    const whole = broken ? undefined : readWhole(text, start, closing)
    if (whole !== undefined) return whole
    broken = true
    const limit = finder.endOfBroken(from)
    const { calls, end } = readPythonCalls(text, start, limit)
    if (calls.length === 0) return undefined
    const rest = text.slice(end, limit).trim().replace(/^\]/, '')
    const all = rest === '' ? calls : [...calls, unreadable(rest, 'the list of calls breaks off')]
    return { calls: all, end: behind(closing, text, limit) }
  })
}

/** Calls without a problem, and their closing mark or the end of the text behind them. */
function readWhole(text: string, start: number, closing: RegExp): Omit<Block, 'start'> | undefined {
  const { calls, end } = readPythonCalls(text, start, text.length)
  if (calls.some(({ problem }) => problem !== undefined)) return undefined
  const after = behind(/\]/y, text, end)
  const closed = behind(closing, text, after)
  return closed > after || (calls.length > 0 && isEnd(text, after)) ? { calls, end: closed } : undefined
}

const isEnd = (text: string, at: number): boolean => skipBlanks(text, at) === text.length

/** Without a mark, a reply is calls only when it is nothing else, and every tool is known. */
function readBare(text: string, known: KnownTool): Block[] {
  const start = skipBlanks(text, spokenStart(text))
  if (text[start] !== '[') return []
  const { calls, end } = readPythonCalls(text, start + 1, text.length)
  const isCertain = calls.length > 0 && calls.every(({ name, problem }) => problem === undefined && known(name))
  return isCertain && text[end] === ']' && isEnd(text, end + 1) ? [{ start, end: text.length, calls }] : []
}

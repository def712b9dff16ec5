import { type Json, readJson } from '../../core/json.ts'
import { type SpokenCall, unreadable } from '../spoken-call.ts'
import type { Block, Dialect } from './dialect.ts'
import { type ParameterForm, parameterReader } from './parameters.ts'
import { behind, readBlocks } from './scan.ts'
import { objectOf } from './untyped.ts'

/** DeepSeek V3.2: DSML tags in a `function_calls` block. Each argument says whether it is a text or JSON. */
export const deepseekV32: Dialect = { name: 'deepseek-v3.2', read: (text) => readDsml(text, 'function_calls') }

/** DeepSeek V4: the same in a `tool_calls` block. */
export const deepseekV4: Dialect = { name: 'deepseek-v4', read: (text) => readDsml(text, 'tool_calls') }

const BAR = '[｜|]'
const tag = (rest: string): RegExp => new RegExp(`<${BAR}DSML${BAR}${rest}`)
const closing = (name: string): RegExp => new RegExp(`</${BAR}DSML${BAR}${name}>`)

function readDsml(text: string, block: string): Block[] {
  if (!tag(`${block}>`).test(text)) return []
  const form: ParameterForm = {
    call: new RegExp(`(?:${tag(`${block}>`).source}\\s*)?${tag('invoke name="([^"<>]{1,256})">').source}`),
    open: tag('parameter name="([^"<>]{1,256})"(?: string="(true|false)")?>'),
    close: closing('parameter'),
    end: closing('invoke'),
  }
  const readParameters = parameterReader(text, form)
  const blockEnd = new RegExp(closing(block).source, 'y')
  return readBlocks(text, form.call, (match, from) => {
    const name = match[1] ?? ''
    const read = readParameters(from)
    const end = behind(blockEnd, text, read.end)
    if ('problem' in read) return { calls: [{ ...unreadable(text.slice(match.index, end), read.problem), name }], end }
    return { calls: [callOf(name, read.given)], end }
  })
}

function callOf(name: string, given: readonly { readonly tag: RegExpExecArray; readonly value: string }[]): SpokenCall {
  const entries: [string, Json][] = []
  for (const { tag, value } of given) {
    const [, key = '', isText] = tag
    const read = isText === 'false' ? readJson(value) : { ok: true as const, value }
    if (!read.ok) return { ...unreadable(value, `the argument "${key}" cannot be read: ${read.problem}`), name }
    entries.push([key, read.value])
  }
  return { name, ...objectOf(entries) }
}

import type { JsonObject } from '../../core/json.ts'
import type { DialectFixture, Written } from './dialect-fixture.contract.ts'

const json = (value: unknown): string => JSON.stringify(value)
const each = (calls: readonly Written[], write: (call: Written, index: number) => string): string =>
  calls.map(write).join('')
const entries = (input: JsonObject, write: (key: string, value: unknown) => string): string =>
  Object.entries(input)
    .map(([key, value]) => write(key, value))
    .join('')

/** Python's way: True, False, None, and what JSON writes otherwise. */
const python = (value: unknown): string => {
  if (Array.isArray(value)) return `[${value.map(python).join(', ')}]`
  if (typeof value === 'object' && value !== null)
    return `{${Object.entries(value).map(([key, inner]) => `${json(key)}: ${python(inner)}`)}}`
  if (typeof value === 'boolean') return value ? 'True' : 'False'
  return value === null ? 'None' : json(value)
}
const pythonCall = ({ name, input }: Written): string =>
  `${name}(${Object.entries(input).map(([key, value]) => `${key}=${python(value)}`)})`

/** Calls as objects between two marks. */
const objects = (name: string, open: string, close: string): DialectFixture => ({
  name,
  write: (calls) => each(calls, (call) => `${open}\n${json({ name: call.name, arguments: call.input })}\n${close}`),
  closing: `\n${close}`,
  empty: [
    `${open}{"name": "look"}${close}`,
    `${open}{"name": "look", "arguments": {}}${close}`,
    `${open}[{"name": "look"}]${close}`,
  ],
  literal: (literal) => `${open}{"name": "look", "arguments": {"n": ${literal}}}${close}`,
  siblings: `${open}{"name": "look"}${close}${open}{"name": "look", "arguments": {"text": "x}}${close}${open}{"name": "change", "arguments": {"text": "b"}}${close}`,
  object: (text) => `${open}${text}${close}`,
  hostile: [open, `${open}{`, `${open}{"`, `${open}{${close}`, `${open}[{"a":`, `${open}{"a":[`],
})

/** Calls as tags within tags, their values without a type. */
const tags = (
  name: string,
  marks: { open: (name: string) => string; key: (key: string) => string; value: string; close: string },
): DialectFixture => {
  const write = (calls: readonly Written[]) =>
    each(
      calls,
      (call) =>
        `${marks.open(call.name)}\n${entries(call.input, (key, value) => `${marks.key(key)}\n${typeof value === 'string' ? value : json(value)}\n${marks.value}\n`)}${marks.close}`,
    )
  return {
    name,
    write,
    closing: `\n${marks.close}`,
    empty: [`${marks.open('look')}\n${marks.close}`, `${marks.open('look')}${marks.close}`],
    literal: (literal) => `${marks.open('look')}${marks.key('n')}${literal}${marks.value}${marks.close}`,
    siblings: [
      write([{ name: 'look', input: {} }]),
      `${marks.open('look')}${marks.key('text')}lost${marks.close}`,
      write([{ name: 'change', input: { text: 'b' } }]),
    ].join('\n'),
    untyped: true,
    hostile: [
      marks.open('look') + marks.key('a'),
      `${marks.open('look')}${marks.key('a')}${marks.close}`,
      `${marks.open('look')}${marks.key('a')}${marks.value} x`,
    ],
  }
}

/** Arguments in an object, the name before it. */
const named = (name: string, open: (name: string) => string, close: string, all: string = ''): DialectFixture => ({
  name,
  write: (calls) => each(calls, (call) => `${open(call.name)}${json(call.input)}${close}`) + all,
  closing: close + all,
  empty: [`${open('look')}{}${close}${all}`],
  literal: (literal) => `${open('look')}{"n": ${literal}}${close}${all}`,
  siblings: `${open('look')}{}${close}${open('look')}{"text": "x}${close}${open('change')}{"text": "b"}${close}${all}`,
  hostile: [open('look'), `${open('look')}{`, `${open('look')}{"`, `${open('look')}{"a":[`],
})

const dsml = (name: string, block: string, bar: string): DialectFixture => {
  const tag = (text: string) => `<${bar}DSML${bar}${text}>`
  const end = (text: string) => `</${bar}DSML${bar}${text}>`
  const call = (name: string, inner: string) => `${tag(`invoke name="${name}"`)}\n${inner}${end('invoke')}\n`
  const parameter = (key: string, value: string, isText: boolean) =>
    `${tag(`parameter name="${key}" string="${isText}"`)}${value}${end('parameter')}\n`
  const inBlock = (inner: string) => `${tag(block)}\n${inner}${end(block)}`
  return {
    name,
    write: (calls) =>
      inBlock(
        each(calls, ({ name, input }) =>
          call(
            name,
            entries(input, (key, value) =>
              parameter(key, typeof value === 'string' ? value : json(value), typeof value === 'string'),
            ),
          ),
        ),
      ),
    closing: `${end('invoke')}\n${end(block)}`,
    empty: [inBlock(call('look', '')), `${tag(block)}${tag('invoke name="look"')}${end('invoke')}`],
    literal: (literal) => inBlock(call('look', parameter('n', literal, false))),
    siblings: inBlock(call('look', '') + call('look', parameter('n', '{', false)) + call('change', '')),
    hostile: [
      tag(block) + tag('invoke name="a"') + tag('parameter name="b" string="true"'),
      tag(block),
      tag('invoke name="a"'),
    ],
  }
}

const gemma = (name: string, open: string, close: string, quote: string): DialectFixture => {
  const value = (given: unknown): string => {
    if (typeof given === 'string') return `${quote}${given}${quote}`
    if (Array.isArray(given)) return `[${given.map(value)}]`
    return typeof given === 'object' && given !== null
      ? `{${Object.entries(given).map(([key, inner]) => `${key}:${value(inner)}`)}}`
      : json(given)
  }
  const call = (name: string, inner: string) => `${open}call:${name}${inner}${close}`
  return {
    name,
    write: (calls) => each(calls, ({ name, input }) => call(name, value(input))),
    closing: close,
    empty: [call('look', '{}')],
    literal: (literal) => call('look', `{n:${literal}}`),
    siblings: call('look', '{}') + call('look', '{text:x y}') + call('change', '{}'),
    hostile: [open, `${open}call:a{b:${quote}`, `${open}call:a{b:{`, `${open}call:a{b:[`],
  }
}

const pythonic = (name: string, open: string, close: string): DialectFixture => ({
  name,
  write: (calls) => `${open}[${calls.map(pythonCall).join(', ')}]${close}`,
  closing: open === '' ? '' : `]${close}`,
  empty: [`${open}[look()]${close}`, `${open}[look( ),]${close}`],
  literal: (literal) => `${open}[look(n=${literal})]${close}`,
  ...(open === '' ? { bare: true } : { siblings: `${open}[look(), look(text=nothing), change(text='b')]${close}` }),
  hostile: [
    `${open}[`,
    `${open}[look(`,
    `${open}[look(a=[`,
    `${open}[look(a='`,
    `${open}[look(a={'b':`,
    `${open}[look(a='b' c), `,
  ],
})

const llamaJson: DialectFixture = {
  name: 'llama-json',
  write: (calls) => calls.map(({ name, input }) => json({ name, parameters: input })).join('; '),
  closing: '',
  empty: [
    '{"name": "look", "parameters": {}}',
    '[{"name": "look", "arguments": {}}]',
    '<|python_tag|>{"name": "look", "parameters": {}}',
  ],
  literal: (literal) => `{"name": "look", "parameters": {"n": ${literal}}}`,
  bare: true,
  object: (text) => text,
  hostile: ['{', '[', '[{"a":', '{"name":"look","parameters":{"a":', '{"name":"look","parameters":{}} {'],
}

const list = (calls: readonly string[]): string => `[TOOL_CALLS][${calls.join(', ')}]`
const mistralList: DialectFixture = {
  ...objects('mistral', '[TOOL_CALLS][', ']'),
  write: (calls) => list(calls.map(({ name, input }) => json({ name, arguments: input, id: 'abcdefghi' }))),
  closing: ']',
  empty: [list(['{"name": "look"}']), list(['{"name": "look", "arguments": {}}'])],
  siblings: list(['{"name": "look"}', '{"nom": "look"}', '{"name": "change"}']),
}

const harmonyOpen = (name: string): string =>
  `<|start|>assistant<|channel|>commentary to=functions.${name} <|constrain|>json<|message|>`
const kimiOpen = (name: string): string => `<|tool_call_begin|>functions.${name}:0<|tool_call_argument_begin|>`
const deepseekOpen = (name: string): string => `<｜tool▁call▁begin｜>function<｜tool▁sep｜>${name}\n\`\`\`json\n`

/** Every dialect; some twice, where a family has two ways. */
export const FIXTURES: readonly DialectFixture[] = [
  objects('hermes', '<tool_call>', '</tool_call>'),
  objects('lm-studio', '[TOOL_REQUEST]', '[END_TOOL_REQUEST]'),
  tags('qwen3-coder', {
    open: (name) => `<tool_call>\n<function=${name}>`,
    key: (key) => `<parameter=${key}>`,
    value: '</parameter>',
    close: '</function>\n</tool_call>',
  }),
  tags('glm', {
    open: (name) => `<tool_call>${name}`,
    key: (key) => `<arg_key>${key}</arg_key>\n<arg_value>`,
    value: '</arg_value>',
    close: '</tool_call>',
  }),
  tags('minimax', {
    open: (name) => `<minimax:tool_call>\n<invoke name="${name}">`,
    key: (key) => `<parameter name="${key}">`,
    value: '</parameter>',
    close: '</invoke>\n</minimax:tool_call>',
  }),
  dsml('deepseek-v3.2', 'function_calls', '｜'),
  dsml('deepseek-v4', 'tool_calls', '|'),
  named('deepseek-v3', deepseekOpen, '\n```<｜tool▁call▁end｜>', '<｜tool▁calls▁end｜>'),
  named(
    'deepseek-v3.1',
    (name) => `<｜tool▁call▁begin｜>${name}<｜tool▁sep｜>`,
    '<｜tool▁call▁end｜>',
    '<｜tool▁calls▁end｜>',
  ),
  named('kimi-k2', kimiOpen, '<|tool_call_end|>', '<|tool_calls_section_end|>'),
  named('harmony', harmonyOpen, '<|call|>'),
  {
    ...named('mistral', (name) => `[TOOL_CALLS]${name}`, ''),
    siblings: '[TOOL_CALLS]look{}[TOOL_CALLS]look{"n": 1, "n": 2}[TOOL_CALLS]change{"text": "b"}',
  },
  mistralList,
  gemma('gemma', '<|tool_call>', '<tool_call|>', '<|"|>'),
  gemma('function-gemma', '<start_function_call>', '<end_function_call>', '<escape>'),
  pythonic('lfm2', '<|tool_call_start|>', '<|tool_call_end|>'),
  pythonic('pythonic', '<|python_start|>', '<|python_end|>'),
  pythonic('pythonic', '', ''),
  llamaJson,
]

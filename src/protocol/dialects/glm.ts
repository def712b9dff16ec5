import { skipBlanks } from '../../core/python-literal.ts'
import type { Dialect } from './dialect.ts'
import { readUntyped } from './untyped.ts'

/** GLM from 4.5 on: `<tool_call>NAME`, then pairs of `<arg_key>` and `<arg_value>`. Values have no type. */
export const glm: Dialect = {
  name: 'glm',
  read: (text, known) =>
    readUntyped(
      text,
      {
        call: /<tool_call>\s*([^\s<>{}[\]]{1,256})(?=\s*<(?:arg_key|\/tool_call)>)/,
        open: /<arg_key>([^<>]{1,256})<\/arg_key>\s*<arg_value>/,
        close: /<\/arg_value>/,
        end: /<\/tool_call>/,
        behind: (_, end) => end,
      },
      (name, from) => known(name) || text.startsWith('<arg_key>', skipBlanks(text, from)),
    ),
}

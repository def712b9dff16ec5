import type { Dialect } from './dialect.ts'
import { behind } from './scan.ts'
import { readUntyped } from './untyped.ts'

/** Qwen3-Coder and Qwen 3.5: `<function=NAME>` with `<parameter=KEY>` in it, mostly in `<tool_call>`. Values have no type. */
export const qwenCoder: Dialect = {
  name: 'qwen3-coder',
  read: (text) =>
    readUntyped(text, {
      call: /(?:<tool_call>\s*)?<function=([^<>\n]{1,256})>/,
      open: /<parameter=([^<>\n]{1,256})>/,
      close: /<\/parameter>/,
      end: /<\/function>/,
      behind: (text, end) => behind(/<\/tool_call>/y, text, end),
    }),
}

import type { Dialect } from './dialect.ts'
import { behind } from './scan.ts'
import { readUntyped } from './untyped.ts'

/** MiniMax M2: `<invoke name=…>` with `<parameter name=…>` in it, in a block of its own name. Values have no type. */
export const minimax: Dialect = {
  name: 'minimax',
  read: (text) =>
    text.includes('<minimax:tool_call>')
      ? readUntyped(text, {
          call: /(?:<minimax:tool_call>\s*)?<invoke name=["']?([^"'<>]{1,256})["']?>/,
          open: /<parameter name=["']?([^"'<>]{1,256})["']?>/,
          close: /<\/parameter>/,
          end: /<\/invoke>/,
          behind: (text, end) => behind(/<\/minimax:tool_call>/y, text, end),
        })
      : [],
}

import type { Block, Dialect } from './dialect.ts'
import { behindFence, objectReader } from './objects.ts'
import { behind, type Marks, marks, readBlocks } from './scan.ts'

/** Hermes, Qwen 2.5 and 3, Granite 4: `<tool_call>{"name": …, "arguments": {…}}</tool_call>`. */
export const hermes: Dialect = {
  name: 'hermes',
  read: (text) => readMarkedObjects(text, marks('<tool_call>', '</tool_call>')),
}

/** LM Studio's default for models without a form of their own: `[TOOL_REQUEST]{…}[END_TOOL_REQUEST]`. */
export const lmStudio: Dialect = {
  name: 'lm-studio',
  read: (text) => readMarkedObjects(text, marks('[TOOL_REQUEST]', '[END_TOOL_REQUEST]')),
}

/** Calls as objects, or lists of such, between two marks. */
function readMarkedObjects(text: string, { opening, closing }: Marks): Block[] {
  const objects = objectReader(text, { opening, closing })
  return readBlocks(text, opening, (_, from) => {
    const start = behindFence(text, from)
    if (text[start] !== '{' && text[start] !== '[') return undefined
    const { calls, end } = objects.calls(start)
    return { calls, end: behind(closing, text, behind(/```/y, text, end)) }
  })
}

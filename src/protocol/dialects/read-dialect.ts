import type { ParseContext, ParsedReply } from '../protocol.ts'
import type { Block, DialectCall } from './dialect.ts'
import { DIALECTS } from './dialects.ts'
import { RESULT } from './invented-result.ts'
import { withoutThoughts } from './thinking.ts'

/** What a text asks for in a dialect. `problem`: it was meant as calls, and none of them can be read. */
export type SpokenReply =
  | Extract<ParsedReply, { kind: 'calls' }>
  | { readonly kind: 'unread'; readonly problem: string }

/**
 * Reads the calls that a text holds, in the first dialect that finds one it can read. A call that cannot be read keeps its
 * place, with its problem. Undefined where the text holds no call.
 */
export function readDialect(text: string, { tools, freshId }: ParseContext): SpokenReply | undefined {
  if (tools.length === 0) return undefined
  const names = new Set(tools.map(({ name }) => name))
  let unread: SpokenReply | undefined
  for (const dialect of DIALECTS) {
    const { blocks, end } = withoutInvented(
      text,
      withoutThoughts(
        text,
        dialect.read(text, (name) => names.has(name)),
      ),
    )
    const calls = blocks.flatMap((block) => block.calls)
    if (calls.some(({ problem }) => problem === undefined)) {
      const named = calls.map(({ givenId, ...call }: DialectCall, index) => ({ id: freshId(givenId, index), ...call }))
      const written = text.slice(0, end)
      return { kind: 'calls', text: beside(written, blocks), calls: named, dialect: dialect.name, written }
    }
    const problem = calls[0]?.problem
    if (problem !== undefined) unread ??= { kind: 'unread', problem: `${problem} (${dialect.name})` }
  }
  return unread
}

/** The blocks before the first result that the model invented behind a call, and where the text then ends. */
function withoutInvented(text: string, blocks: readonly Block[]): { blocks: readonly Block[]; end: number } {
  for (const [index, block] of blocks.entries()) {
    const at = text.slice(block.end, blocks[index + 1]?.start).search(RESULT)
    if (at !== -1) return { blocks: blocks.slice(0, index + 1), end: block.end + at }
  }
  return { blocks, end: text.length }
}

/** What stands before, between and behind the blocks, without the blanks around them. */
function beside(text: string, blocks: readonly Block[]): string {
  const starts = [...blocks.map(({ start }) => start), text.length]
  const pieces = starts.map((start, index) => text.slice(blocks[index - 1]?.end ?? 0, start).trim())
  return pieces.filter((piece) => piece !== '').join('\n')
}

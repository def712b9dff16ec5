import { skipBlanks } from '../../core/python-literal.ts'
import type { Block } from './dialect.ts'

/** Where a reply begins to speak: behind its thoughts, also where the tag that began them was lost. */
export function spokenStart(text: string): number {
  if (THOUGHT.test(text)) return text.length - withoutLeadingThoughts(text).length
  return /^\s*[[{<]/.test(text) ? 0 : endOfThoughts(text)
}

const THOUGHT = /^\s*<think\s*>/

/** Behind the last tag that ends thinking; 0 where there is none. */
function endOfThoughts(text: string): number {
  const at = text.lastIndexOf('</think')
  const close = at === -1 ? -1 : text.indexOf('>', at)
  return close === -1 ? 0 : close + 1
}

/**
 * What a reply says behind the thoughts at its beginning; thoughts may be nested. Where their tags do not add up, the last one
 * that ends thinking counts, so that no answer is lost; where none does, all of it is thoughts.
 */
export function withoutLeadingThoughts(text: string): string {
  if (!THOUGHT.test(text)) return text
  let depth = 0
  for (const tag of text.matchAll(/<(\/?)think\s*>/g)) {
    depth += tag[1] === '' ? 1 : -1
    if (depth === 0) return text.slice(tag.index + tag[0].length)
  }
  const spoken = endOfThoughts(text)
  return spoken === 0 ? '' : text.slice(spoken)
}

/**
 * The blocks that are no thoughts. Calls before a tag that ends thinking are thoughts, also where the tag that began it was
 * lost. In thinking that never ends, only calls that end the reply, on a line of their own, were meant. Where such a tag
 * stands in a call that is broken or thought, what stands before it is not certain and gets a problem.
 */
export function withoutThoughts(text: string, blocks: readonly Block[]): readonly Block[] {
  const spoken = spokenBlocks(text, blocks)
  const certain = new Set(spoken.filter(({ calls }) => calls.every(({ problem }) => problem === undefined)))
  const last = blocks.findLast((block) => !certain.has(block) && text.slice(block.start, block.end).includes('</think'))
  const tag = last === undefined ? 0 : text.lastIndexOf('</think', last.end)
  return spoken.map((block) => (block.start < tag ? doubted(block) : block))
}

const doubted = (block: Block): Block => ({
  ...block,
  calls: block.calls.map((call) => ({ ...call, problem: call.problem ?? 'what stands behind it ends thoughts' })),
})

function spokenBlocks(text: string, blocks: readonly Block[]): readonly Block[] {
  if (blocks.length === 0) return blocks
  let spoken: Block[] = []
  let thought: Block[] = []
  let thinking = false
  let from = 0
  for (const block of [...blocks, { start: text.length, end: text.length, calls: [] }]) {
    const tags = [...text.slice(from, block.start).matchAll(/<(\/?)think(?:ing)?\s*>/g)]
    const last = tags.at(-1)
    if (tags.some(([, slash]) => slash === '/')) {
      spoken = []
      thought = []
    }
    if (last !== undefined) thinking = last[1] === ''
    if (thinking) thought.push(block)
    else spoken.push(block)
    from = block.end
  }
  return thinking ? [...spoken, ...closing(text, thought.slice(0, -1))] : spoken.slice(0, -1)
}

/** The blocks behind which nothing but blocks follows, where the first of them begins a line. */
function closing(text: string, blocks: readonly Block[]): readonly Block[] {
  let end = text.length
  let first = blocks.length
  while (first > 0) {
    const block = blocks[first - 1]
    if (block === undefined || skipBlanks(text, block.end) < end) break
    end = block.start
    first -= 1
  }
  const isOwnLine = /(?:^|\n)[ \t]*$/.test(text.slice(Math.max(0, end - 200), end))
  return isOwnLine ? blocks.slice(first) : []
}

import type { ToolDefinition } from '../core/request.ts'
import type { Dialect, KnownTool } from './dialects/dialect.ts'
import { glm } from './dialects/glm.ts'
import { qwenCoder } from './dialects/qwen-coder.ts'
import { endOfObject, findStray, isFollowedByObject } from './loose-json.ts'
import { readSpokenCall, type SpokenCall, unreadable } from './spoken-call.ts'
import { endOfThinking } from './tagged-reader.ts'

const OPEN = '<tool_call>'
/** Families that write between the same tags what is no object. */
const UNTYPED: readonly Dialect[] = [qwenCoder, glm]

/** More than that in one reply is a model in a circle. */
const MOST_CALLS = 256
const TOO_MANY = `one reply may hold ${MOST_CALLS} calls; this one and what follows it were not read`

/** A call and where it stands. */
interface Block {
  readonly call: SpokenCall
  readonly start: number
  readonly end: number
  /** The family's form, where the call is no object. */
  readonly dialect?: string
}

/**
 * The calls of a reply in tags, and what it says behind its thoughts. Calls in thoughts are thoughts; before a tag
 * that ends thinking and is no text of a readable call or an answer, they are not certain and do not run.
 */
export function readTaggedCalls(
  text: string,
  tools: readonly ToolDefinition[],
): { readonly spoken: string; readonly blocks: readonly Block[] } {
  const names = new Set(tools.map(({ name }) => name))
  const spoken = text.slice(endOfThinking(text))
  const blocks = readCalls(spoken, (name) => names.has(name))
  const thought = endOfLateThought(spoken, blocks)
  return { spoken, blocks: blocks.map((block) => (block.start < thought ? doubted(block) : block)) }
}

const doubted = (block: Block): Block => ({
  ...block,
  call: { ...block.call, problem: block.call.problem ?? 'a </think> stands behind it, so it may have been a thought' },
})

/** Behind the last tag that ends thinking, stands before any answer, and is no text of a call; 0 where there is none. */
function endOfLateThought(text: string, blocks: readonly Block[]): number {
  let end = 0
  let next = 0
  for (const { 0: mark, index } of text.matchAll(/<\/think\s*>|<answer>/g)) {
    while ((blocks[next]?.end ?? text.length) <= index) next += 1
    const block = blocks[next]
    if (block !== undefined && block.start < index && block.call.problem === undefined) continue
    if (mark === '<answer>') break
    end = index + mark.length
  }
  return end
}

function readCalls(text: string, known: KnownTool): Block[] {
  const untyped = untypedBlocks(text, known)
  const blocks: Block[] = []
  let at = text.indexOf(OPEN)
  while (at !== -1 && blocks.length < MOST_CALLS) {
    const block = untyped.get(at) ?? readBlock(text, at)
    blocks.push(block)
    const goesOn = block.dialect === undefined && isFollowedByObject(text, block.end)
    at = goesOn ? block.end : text.indexOf(OPEN, block.end)
  }
  if (at === -1) return blocks
  return [...blocks, { call: unreadable(text.slice(at), TOO_MANY), start: at, end: text.length }]
}

/** By where they begin. */
const untypedBlocks = (text: string, known: KnownTool): ReadonlyMap<number, Block> =>
  new Map(
    UNTYPED.flatMap(({ name, read }) =>
      read(text, known).flatMap(({ start, end, calls }) =>
        calls.map((call) => [start, { call, start, end, dialect: name }] as const),
      ),
    ),
  )

/** One object of a block, and its code. The object's own end counts, so a text in it may hold the closing tag. */
function readBlock(text: string, start: number): Block {
  const from = text.startsWith(OPEN, start) ? start + OPEN.length : start
  const begin = findPattern(text, /[{<]/g, from)
  if (begin?.[0] !== '{') return { start, ...unreadableUpTo(text, from, /<\/?tool_call>/g) }
  const end = endOfObject(text, begin.index)
  if (end === undefined) return { start, ...unreadableUpTo(text, from, /<\/tool_call>/g) }
  const call = readSpokenCall(text.slice(from, end))
  const code = findPattern(text, /\s*<code>\n?/y, end)
  if (code !== undefined) return { start, ...withCode(call, text, end + code[0].length) }
  const stray = findStray(text, end)
  return { call: stray === undefined ? call : unreadable(text.slice(from, end), stray), start, end }
}

/** Where an object was begun, only the closing tag ends it: what looks like another call may be a part of it. */
function unreadableUpTo(text: string, from: number, ending: RegExp): Omit<Block, 'start'> {
  const end = findPattern(text, ending, from)?.index ?? text.length
  const written = text.slice(from, end)
  const call = readSpokenCall(written)
  return { call: call.problem === undefined ? unreadable(written, 'a call begins with its object') : call, end }
}

function withCode(call: SpokenCall, text: string, from: number): Omit<Block, 'start'> {
  const end = text.indexOf('</code>', from)
  if (end === -1) return { call: unreadable(text.slice(from), 'its <code> has no end'), end: text.length }
  if (call.problem !== undefined) return { call, end }
  const code = text.slice(from, end).replace(/\r?\n$/, '')
  return { call: { ...call, arguments: JSON.stringify({ ...(JSON.parse(call.arguments) as object), code }) }, end }
}

function findPattern(text: string, pattern: RegExp, from: number): RegExpExecArray | undefined {
  pattern.lastIndex = from
  return pattern.exec(text) ?? undefined
}

import type { AssistantMessage, Message } from '../core/message.ts'
import { tagged } from '../protocol/tagged.ts'
import type { State } from '../run/state.ts'

/** One message as Alibaba's DeepResearch keeps it. */
export interface RecordedMessage {
  readonly role: 'system' | 'user' | 'assistant'
  readonly content: string
}

/**
 * A run's history as the original would have written it, whatever protocol the run had: system message, the question and
 * nothing else, then turns with `<think>`, `<tool_call>` and `<answer>`, each result in a user message of its own in
 * `<tool_response>`. Its evaluation looks messages up by that: the second is the question, the last holds the answer.
 */
export function recordedMessages(state: State, question: string): RecordedMessage[] {
  const isTagged = state.started?.protocol === 'tagged'
  const messages = heard(state.messages).map((message, at) =>
    recorded(message, at === 1 ? question : undefined, isTagged),
  )
  return withAnswer(messages, state.answer)
}

/** What Tao says at the end of a run and no model was asked with is none of its turns; it may even hold the tags of an answer. */
function heard(messages: readonly Message[]): readonly Message[] {
  const last = messages.findLastIndex((message) => message.role !== 'observation' || message.call !== undefined)
  return messages.slice(0, last + 1)
}

function recorded(message: Message, question: string | undefined, isTagged: boolean): RecordedMessage {
  if (message.role === 'assistant')
    return { role: 'assistant', content: isTagged ? withReasoning(message) : inTags(message) }
  const wire = tagged.render(message, [])
  return { role: wire.role === 'system' ? 'system' : 'user', content: question ?? wire.text }
}

/** Services that take the thinking out of the text give it on its own; the original has it in the text. */
const withReasoning = ({ text, reasoning }: AssistantMessage): string =>
  reasoning === undefined || text.includes('<think>') ? text : `${thought(reasoning)}${text}`

function inTags({ text, reasoning = '', calls }: AssistantMessage): string {
  const said = calls.length === 0 ? [] : [text]
  const thoughts = [reasoning, ...said].filter((each) => each.trim() !== '').join('\n\n')
  const body = calls.length === 0 ? text : calls.map(({ name, arguments: given }) => callText(name, given)).join('\n')
  return `${thoughts === '' ? '' : thought(thoughts)}${body}`
}

const thought = (text: string): string => `<think>\n${text.trim()}\n</think>\n`

/** Arguments are JSON already, or what a model wrote in its place. */
const callText = (name: string, given: string): string =>
  `<tool_call>\n{"name": ${JSON.stringify(name)}, "arguments": ${given}}\n</tool_call>`

/** Where the answer is in no tags, or something came after it, it is put where the original has it. */
function withAnswer(messages: readonly RecordedMessage[], answer: string | undefined): RecordedMessage[] {
  const last = messages.at(-1)
  const said = last?.role === 'assistant' ? last.content.trimEnd() : ''
  if (answer === undefined || answerIn(said) === answer.trim()) return [...messages]
  const isLast = said.endsWith(answer)
  const before = isLast ? said.slice(0, said.length - answer.length).replace(/<answer>\s*$/, '') : ''
  const closing: RecordedMessage = { role: 'assistant', content: `${before}<answer>\n${answer}\n</answer>` }
  return [...(isLast ? messages.slice(0, -1) : messages), closing]
}

const answerIn = (text: string): string | undefined => /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1]?.trim()

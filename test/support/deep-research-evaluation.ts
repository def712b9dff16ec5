import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/*
 * What Alibaba DeepResearch's `evaluation/evaluate_deepsearch_official.py` reads of a folder of results and counts in it,
 * written anew from a description of what it does. Its judge is a question of the texts "question", "answer" and "prediction".
 */

interface ReadItem {
  readonly question: string
  readonly answer: unknown
  readonly prediction: string
  readonly termination: string
  readonly messages: readonly { readonly role: string; readonly content: string }[]
}

/** Of one rollout. */
export interface RoundFigures {
  readonly questions: number
  /** Items whose last message has no full answer tags. */
  readonly invalid: number
  readonly toolCalls: number
  readonly searches: number
  readonly visits: number
  readonly otherCalls: number
  readonly answerCharacters: number
  readonly terminations: Readonly<Record<string, number>>
  /** Items that the statistics of solved questions find: those whose second message is the question. */
  readonly found: number
  /** Items whose prediction is the answer of the dataset. */
  readonly correct: number
}

/** Throws, as the original does, unless there are three files whose every line has what is read of it. */
export function evaluateFolder(folder: string): RoundFigures[] {
  return [1, 2, 3].map((round) => {
    const path = join(folder, `iter${round}.jsonl`)
    if (!existsSync(path)) throw new Error(`${path} is not there: three rounds are required.`)
    const items = readFileSync(path, 'utf8')
      .split('\n')
      .slice(0, -1)
      .map((line) => JSON.parse(line) as ReadItem)
    return figuresOf(items)
  })
}

function figuresOf(items: readonly ReadItem[]): RoundFigures {
  const calls = items.flatMap(({ messages }) =>
    messages.filter(({ role }) => role === 'assistant').flatMap(({ content }) => callsIn(content)),
  )
  const kinds = calls.map(kindOf)
  const answers = items.map(({ messages }) => answerIn(messages.at(-1)?.content ?? ''))
  const terminations: Record<string, number> = {}
  for (const { termination } of items) terminations[termination] = (terminations[termination] ?? 0) + 1
  return {
    questions: items.length,
    invalid: answers.filter((answer) => answer === undefined).length,
    toolCalls: calls.length,
    searches: kinds.filter((kind) => kind === 'search').length,
    visits: kinds.filter((kind) => kind === 'visit').length,
    otherCalls: kinds.filter((kind) => kind === 'other').length,
    answerCharacters: answers.reduce((sum, answer = '') => sum + answer.trim().length, 0),
    terminations,
    found: items.filter(({ question }) => items.some(({ messages }) => messages[1]?.content === question)).length,
    correct: items.filter(({ prediction, answer }) => prediction === answer).length,
  }
}

const callsIn = (content: string): string[] =>
  content
    .split('<tool_call>')
    .slice(1)
    .flatMap((part) => (part.includes('</tool_call>') ? [part.slice(0, part.indexOf('</tool_call>')).trim()] : []))

/** By the name in the JSON, else by what the text mentions. */
function kindOf(call: string): 'search' | 'visit' | 'other' {
  try {
    const { name } = JSON.parse(call) as { readonly name: string }
    return name === 'search' ? 'search' : name.includes('visit') ? 'visit' : 'other'
  } catch {
    return call.includes('visit') ? 'visit' : call.includes('search') ? 'search' : 'other'
  }
}

function answerIn(content: string): string | undefined {
  if (!content.includes('<answer>') || !content.includes('</answer>')) return undefined
  return content.split('<answer>')[1]?.split('</answer>')[0]
}

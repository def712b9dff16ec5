import type { Outcome } from '../../core/outcome.ts'
import { estimateTokens, inputTokens } from '../../core/usage.ts'
import type { RecordedMessage } from '../messages.ts'

/** What can be counted in one record, whoever wrote it. */
export interface Figures {
  /** The last message has no whole answer in tags. */
  readonly isInvalid: boolean
  /** Model calls where Tao counted them, else messages of the model. */
  readonly turns: number
  /** How often each tool was called, by its name. */
  readonly tools: Readonly<Record<string, number>>
  readonly answerCharacters: number
  /** Mean characters of the model's messages; undefined where it said nothing. */
  readonly messageCharacters: number | undefined
  /** Messages of the model. */
  readonly modelMessages: number
  /** A guess, as `estimateTokens` makes it, over all messages and over those of the model. */
  readonly transcriptTokens: number
  readonly assistantTokens: number
  /** As the service counted them; undefined for records that do not say. */
  readonly inputTokens: number | undefined
  readonly outputTokens: number | undefined
  /** US dollars; undefined where it is not known. */
  readonly cost: number | undefined
  readonly durationMs: number | undefined
}

export function figuresOf(messages: readonly RecordedMessage[], outcome: Outcome | undefined): Figures {
  const said = messages.filter(({ role }) => role === 'assistant').map(({ content }) => content)
  const answer = answerIn(messages.at(-1)?.content ?? '')
  return {
    isInvalid: answer === undefined,
    turns: outcome?.modelCalls ?? said.length,
    tools: countTools(said),
    answerCharacters: answer?.length ?? 0,
    messageCharacters: said.length === 0 ? undefined : sum(said.map((text) => text.length)) / said.length,
    modelMessages: said.length,
    transcriptTokens: sum(messages.map(({ content }) => estimateTokens(content))),
    assistantTokens: sum(said.map(estimateTokens)),
    inputTokens: outcome === undefined ? undefined : inputTokens(outcome.usage),
    outputTokens: outcome?.usage.output,
    cost: outcome?.usage.cost,
    durationMs: outcome?.durationMs,
  }
}

const sum = (numbers: readonly number[]): number => numbers.reduce((total, each) => total + each, 0)

const answerIn = (text: string): string | undefined => /<answer>([\s\S]*?)<\/answer>/.exec(text)?.[1]?.trim()

function countTools(said: readonly string[]): Readonly<Record<string, number>> {
  const counts = new Map<string, number>()
  for (const text of said)
    for (const [, call = ''] of text.matchAll(/<tool_call>([\s\S]*?)<\/tool_call>/g)) {
      const name = toolIn(call)
      counts.set(name, (counts.get(name) ?? 0) + 1)
    }
  return Object.fromEntries(counts)
}

/** Calls are JSON, sometimes with code behind it, sometimes broken: then the first word that is the name of a tool says which. */
const toolIn = (call: string): string =>
  /"name"\s*:\s*"([^"\\]{1,100})"/.exec(call)?.[1] ??
  /\b(visit|search|python|parse_file)\b/i.exec(call)?.[1]?.toLowerCase() ??
  'unknown'

/** The kinds in which Alibaba's DeepResearch counts. */
export interface CallKinds {
  readonly all: number
  readonly search: number
  readonly visit: number
  readonly other: number
}

export function callKinds({ tools }: Pick<Figures, 'tools'>): CallKinds {
  const all = sum(Object.values(tools))
  const visit = sum(Object.entries(tools).map(([name, count]) => (name.includes('visit') ? count : 0)))
  const search = tools.search ?? 0
  return { all, search, visit, other: all - search - visit }
}

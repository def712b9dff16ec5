import type { FactDeclaration } from '../core/known-fact.ts'
import { describeCall } from '../judge/call-wish.ts'

/** What of a contract the model is told beside the task. */
export interface ToldContract {
  readonly instructions?: string
  readonly facts?: readonly FactDeclaration[]
  readonly answer?: string
  readonly outOfScope?: readonly string[]
}

/** One text for the system message; undefined when there is nothing to tell. */
export function toldBeside({ instructions, facts = [], answer, outOfScope = [] }: ToldContract): string | undefined {
  const paragraphs = [
    instructions ?? '',
    facts.length === 0
      ? ''
      : `These facts are wanted. Each is read from the result of a call:\n${facts.map(factLine).join('\n')}`,
    answer === undefined ? '' : `Your final answer is replaced by this text, with the facts in it:\n${answer.trim()}`,
    outOfScope.length === 0 ? '' : `Out of scope:\n${outOfScope.map((sentence) => `- ${sentence}`).join('\n')}`,
  ].filter((paragraph) => paragraph !== '')
  return paragraphs.length === 0 ? undefined : paragraphs.join('\n\n')
}

export const factLine = ({ name, from }: FactDeclaration): string =>
  `- ${name}: ${from.map(describeCall).join(', or ')}`

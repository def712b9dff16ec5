import type { ClaimRejected } from '../core/claim.ts'
import type { Fact } from '../core/event.ts'
import type { Evidence } from '../core/outcome.ts'
import type { MadeAnswer } from './deliver.ts'
import type { Run } from './run.ts'
import { heard } from './state.ts'

/** The same answer again, and nothing was observed since: what was found the last time still says all there is to say. */
export function sameClaim({ state }: Run, said: string): Fact | undefined {
  const { rejected, evidence } = state
  if (rejected?.answer !== said || rejected.heard !== heard(state)) return undefined
  if (evidence.some(({ doubt }) => doubt === 'error' || doubt === 'timeout')) return undefined
  const { observation } = rejection(evidence)
  const told = `You said the same before, and nothing was observed since, so nothing was checked again.\n${observation}`
  return { kind: 'claim.rejected', evidence, observation: told }
}

/** What the evidence comes to. */
export function verdict(evidence: readonly Evidence[], made: MadeAnswer): Fact {
  if (evidence.some(({ holds }) => !holds)) return rejection(evidence)
  return { kind: 'claim.accepted', evidence, ...(made.isMade ? { answer: made.answer } : {}) }
}

function rejection(evidence: readonly Evidence[]): ClaimRejected {
  const missing = evidence.filter(({ holds }) => !holds)
  const lines = missing.map(({ criterion, detail }) => `- ${criterion}\n${detail}`)
  const observation = `Not done yet. ${missing.length} of ${evidence.length} criteria do not hold:\n${lines.join('\n')}`
  return { kind: 'claim.rejected', evidence, observation }
}

import { TaoError } from '../core/error.ts'
import type { Doubt } from '../core/outcome.ts'
import { addUsage } from '../core/usage.ts'
import type { Criterion, Delivery, Finding } from './criterion.ts'
import { find } from './find.ts'

/** Holds when every part holds. Throws a `TaoError` without parts. */
export function all(parts: readonly Criterion[]): Criterion {
  return combine('all', parts, (findings) => {
    const missed = findings.filter(({ holds }) => !holds)
    return missed.length === 0
      ? { holds: true, ...doubtIf(isOnlyOpinion(findings) ? 'opinion' : undefined) }
      : { holds: false, ...doubtIf(doubtOfMissed(missed)) }
  })
}

/** Holds when at least one part holds. Throws a `TaoError` without parts. */
export function any(parts: readonly Criterion[]): Criterion {
  return combine('any', parts, (findings) => {
    const met = findings.filter(({ holds }) => holds)
    return met.length === 0
      ? { holds: false, ...doubtIf(findings.find(isOpen)?.doubt ?? (isOnlyOpinion(findings) ? 'opinion' : undefined)) }
      : { holds: true, ...doubtIf(isOnlyOpinion(met) ? 'opinion' : undefined) }
  })
}

/** Holds when its part was checked and does not hold. A part that could not be checked, or is stale, proves nothing. */
export function not(part: Criterion): Criterion {
  return {
    name: `not ${part.name}`,
    ...inherited([part]),
    check: async (delivery) => {
      const finding = await find(part, delivery)
      return { ...finding, holds: !finding.holds && !isOpen(finding) }
    },
  }
}

type Result = Pick<Finding, 'holds' | 'doubt'>

function combine(
  word: string,
  parts: readonly Criterion[],
  judge: (findings: readonly Finding[]) => Result,
): Criterion {
  if (parts.length === 0) throw new TaoError('criterion', `A criterion "${word}" has no parts.`)
  return {
    name: `${word} of (${parts.map(({ name }) => name).join('; ')})`,
    ...inherited(parts),
    check: async (delivery) => {
      const findings = await findEach(parts, delivery)
      const lines = findings.map(
        ({ holds, detail }, at) => `${holds ? 'holds' : 'does not hold'}: ${parts[at]?.name}\n${detail}`,
      )
      return { ...judge(findings), detail: lines.join('\n'), ...usageOf(findings) }
    },
  }
}

/** One after the other: each may use the whole sandbox. */
async function findEach(parts: readonly Criterion[], delivery: Delivery): Promise<Finding[]> {
  const findings: Finding[] = []
  for (const part of parts) findings.push(await find(part, delivery))
  return findings
}

/** Can be checked before the first step when every part can, and needs what any part needs. */
const inherited = (parts: readonly Criterion[]): Pick<Criterion, 'early' | 'asks'> => {
  const needs = parts.map(({ asks }) => asks)
  const asks = needs.find((each) => each === 'model') ?? needs.find((each) => each === 'command')
  return {
    ...(parts.every(({ early }) => early === true) ? { early: true } : {}),
    ...(asks === undefined ? {} : { asks }),
  }
}

const isOnlyOpinion = (findings: readonly Finding[]): boolean => findings.every(({ doubt }) => doubt === 'opinion')

const isOpen = ({ doubt }: Finding): boolean => doubt !== undefined && doubt !== 'opinion'

/** One part that was plainly found not to hold settles it, whatever became of the others. */
function doubtOfMissed(missed: readonly Finding[]): Doubt | undefined {
  const doubts = missed.map(({ doubt }) => doubt)
  if (doubts.includes(undefined)) return undefined
  return doubts.includes('opinion') ? 'opinion' : doubts[0]
}

const doubtIf = (given: Doubt | undefined): Pick<Finding, 'doubt'> => (given === undefined ? {} : { doubt: given })

function usageOf(findings: readonly Finding[]): Pick<Finding, 'usage'> {
  const [first, ...rest] = findings.flatMap(({ usage }) => (usage === undefined ? [] : [usage]))
  return first === undefined ? {} : { usage: rest.reduce(addUsage, first) }
}

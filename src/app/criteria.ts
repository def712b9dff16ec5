import { TaoError } from '../core/error.ts'
import type { CommandOptions } from '../judge/command.ts'
import { command } from '../judge/command.ts'
import type { Criterion } from '../judge/criterion.ts'
import { file } from '../judge/file.ts'
import { unchanged } from '../judge/unchanged.ts'
import type { CriterionSpec } from './task-schema.ts'

/** As a task file says it, or one of the caller's own. */
export type CriterionChoice = CriterionSpec | Criterion

/** Where commands of criteria run, and what they may use. */
export type CommandPlace = Pick<CommandOptions, 'sandbox' | 'limits' | 'network'>

/** Throws a `TaoError` for one that cannot be checked, and for two of the same name. */
export function buildCriteria(choices: readonly CriterionChoice[], place: CommandPlace): Criterion[] {
  const criteria = choices.map((choice) => buildCriterion(choice, place))
  const names = criteria.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return criteria
  throw new TaoError('criterion', `The criterion "${twice}" is named twice.`, { fix: 'Name it once.' })
}

function buildCriterion(choice: CriterionChoice, place: CommandPlace): Criterion {
  if ('check' in choice) return choice
  if ('command' in choice) return command({ ...choice, ...place })
  if ('unchanged' in choice) return unchanged(choice.unchanged)
  const { file: path, ...wish } = choice
  return file({ path, ...wish })
}

/** Commands need the sandbox; the other criteria only look. */
export const runsCommand = (choice: CriterionChoice): boolean => 'command' in choice && !('check' in choice)

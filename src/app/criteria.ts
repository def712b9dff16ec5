import { TaoError } from '../core/error.ts'
import { changed } from '../judge/changed.ts'
import { all, any, not } from '../judge/combine.ts'
import type { CommandOptions } from '../judge/command.ts'
import { command } from '../judge/command.ts'
import type { Criterion } from '../judge/criterion.ts'
import { file } from '../judge/file.ts'
import { unchanged } from '../judge/unchanged.ts'
import type { Model } from '../model/model.ts'
import type { SimpleSpec } from './contract-schema.ts'

/** As a task file says it, or one of the caller's own. */
export type CriterionChoice =
  | SimpleSpec
  | Criterion
  | { readonly all: readonly CriterionChoice[]; readonly mustFailFirst?: boolean }
  | { readonly any: readonly CriterionChoice[]; readonly mustFailFirst?: boolean }
  | { readonly not: CriterionChoice; readonly mustFailFirst?: boolean }

/** Where commands of criteria run, what they may use, and how a model that grades is had. */
export interface CriterionPlace extends Pick<CommandOptions, 'sandbox' | 'limits' | 'network'> {
  /** Rejects with a `TaoError` for a name or a key that cannot work. */
  readonly openGrader: (name: string) => Promise<Model>
}

/** Rejects with a `TaoError` for one that cannot be checked, and for two of the same name. */
export async function buildCriteria(choices: readonly CriterionChoice[], place: CriterionPlace): Promise<Criterion[]> {
  const criteria = await buildEach(choices, place)
  const names = criteria.map(({ name }) => name)
  const twice = names.find((name, at) => names.indexOf(name) !== at)
  if (twice === undefined) return criteria
  throw new TaoError('criterion', `The criterion "${twice}" is named twice.`, { fix: 'Name it once.' })
}

const buildEach = (choices: readonly CriterionChoice[], place: CriterionPlace): Promise<Criterion[]> =>
  Promise.all(choices.map((choice) => buildCriterion(choice, place)))

async function buildCriterion(choice: CriterionChoice, place: CriterionPlace): Promise<Criterion> {
  if ('check' in choice) return choice
  const built = await buildSpec(choice, place)
  return 'mustFailFirst' in choice && choice.mustFailFirst === true ? { ...built, mustFailFirst: true } : built
}

/** Those that bring a library with them are loaded when they are used. */
async function buildSpec(spec: Exclude<CriterionChoice, Criterion>, place: CriterionPlace): Promise<Criterion> {
  if ('all' in spec) return all(await buildEach(spec.all, place))
  if ('any' in spec) return any(await buildEach(spec.any, place))
  if ('not' in spec) return not(await buildCriterion(spec.not, place))
  if ('command' in spec) return command({ ...spec, ...place })
  if ('unchanged' in spec) return unchanged(spec.unchanged)
  if ('changed' in spec) return changed(spec.changed)
  if ('file' in spec) return file({ ...spec, path: spec.file })
  if ('called' in spec) return (await import('../judge/called.ts')).called({ ...spec, tool: spec.called })
  if ('fact' in spec) return (await import('../judge/fact.ts')).fact(spec)
  if ('answer' in spec) return (await import('../judge/answer.ts')).answer(spec.answer)
  if ('grounded' in spec) return (await import('../judge/grounded.ts')).grounded()
  const model = await place.openGrader(spec.model)
  return (await import('../judge/model.ts')).model({ ...spec, model })
}

/** Commands need the sandbox; the other criteria only look. */
export function runsCommand(choice: CriterionChoice): boolean {
  if ('check' in choice) return false
  if ('all' in choice) return choice.all.some(runsCommand)
  if ('any' in choice) return choice.any.some(runsCommand)
  return 'not' in choice ? runsCommand(choice.not) : 'command' in choice
}

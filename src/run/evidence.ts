import type { TaoError } from '../core/error.ts'
import type { Evidence } from '../core/outcome.ts'
import type { Criterion, Delivery, Finding } from '../judge/criterion.ts'
import { find } from '../judge/find.ts'
import { shorten } from './observe.ts'
import type { Run } from './run.ts'

/** A finding as it is recorded. */
export const evidenceOf = ({ name }: Pick<Criterion, 'name'>, { holds, detail, doubt }: Finding): Evidence => ({
  criterion: name,
  holds,
  detail,
  ...(doubt === undefined ? {} : { doubt }),
})

/** Checks one criterion now. Rejects with a `SandboxError` only. */
export async function lookAt({ parts }: Run, criterion: Criterion, delivery: Delivery): Promise<Finding> {
  const finding = await find(criterion, delivery)
  return { ...finding, detail: shorten(finding.detail, parts) }
}

/** The same; what held before the first step as well is marked. Rejects with a `SandboxError` only. */
export async function collect(run: Run, criterion: Criterion, delivery: Delivery): Promise<Evidence & Finding> {
  const finding = await lookAt(run, criterion, delivery)
  const heldBefore = run.state.evidenceAtStart?.some((before) => before.holds && before.criterion === criterion.name)
  return {
    ...evidenceOf(criterion, finding),
    ...(finding.usage === undefined ? {} : { usage: finding.usage }),
    ...(finding.holds && heldBefore === true ? { heldBefore } : {}),
  }
}

/** Protected paths are compared whether or not the task asks for it; nothing is said when all is well. */
export async function findDisturbed({ parts }: Run): Promise<Evidence | undefined> {
  const paths = (await parts.workspace?.disturbed()) ?? []
  if (paths.length === 0) return undefined
  return { criterion: 'protected paths', holds: false, detail: `No longer as they were: ${paths.join(', ')}.` }
}

/** A working copy that cannot be read, such as one of folders nested too deeply, is for the model to mend. */
export const unusable = ({ message, fix }: TaoError): Evidence => ({
  criterion: 'the working copy',
  holds: false,
  detail: fix === undefined ? message : `${message} ${fix}`,
})

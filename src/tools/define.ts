import type { StandardSchemaV1 } from '@standard-schema/spec'
import { type Effect, isReadOnly, type ToolResult } from '../core/call.ts'
import { describeError, TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { findProblems, showValue } from './arguments.ts'
import { describeParameters } from './parameters.ts'
import { toToolResult } from './result-text.ts'
import type { Tool, ToolContext, ToolOptions, Validation } from './tool.ts'

const TWO_MINUTES = 120_000
/** What every protocol can write. Services that take less are told of such a tool under a name of theirs. */
const NAME = /^[\p{L}\p{N}_-][\p{L}\p{N}_./-]{0,255}$/u
const EFFECTS: readonly Effect[] = ['read', 'write', 'egress', 'irreversible']

/**
 * Makes a tool out of one schema and one function. Arguments must fit both what the model was told and what the schema
 * itself checks. Throws a `TaoError` for a name, an effect, a time limit or a schema that cannot work.
 */
export function tool<S extends StandardSchemaV1>(options: ToolOptions<S>): Tool {
  const { name, description, input: schema, run, repeatable, fingerprint, probe } = options
  if (!NAME.test(name))
    throw new TaoError('tool', `"${name}" cannot be the name of a tool.`, {
      fix: 'Use 1 to 256 letters, digits and "_-./", and begin with a letter, a digit, "_" or "-".',
    })
  const parameters = describeParameters(name, schema, options.parameters)
  return {
    definition: { name, description, parameters },
    effects: readEffects(name, options.effects),
    timeLimit: readTimeLimit(name, options.timeLimit),
    validate: (input) => validate(schema, parameters, input),
    ...(repeatable === undefined ? {} : { repeatable }),
    ...(fingerprint === undefined
      ? {}
      : { fingerprint: async (input, context) => fingerprint(input as never, context) }),
    ...(probe === undefined
      ? {}
      : { probe: async (input, context) => found(name, await probe(input as never, context)) }),
    execute: async (input, context) => {
      try {
        return toToolResult(name, await run(input as StandardSchemaV1.InferOutput<S>, context))
      } catch (thrown) {
        return answerThrown(name, thrown, context)
      }
    },
  }
}

const found = (name: string, probed: unknown): ToolResult | undefined =>
  probed === undefined ? undefined : toToolResult(name, probed)

function readEffects(name: string, given: ToolOptions<StandardSchemaV1>['effects']): readonly Effect[] {
  const effects = given === undefined ? ['write' as const] : typeof given === 'string' ? [given] : given
  const unknown = effects.find((effect) => !EFFECTS.includes(effect))
  if (unknown === undefined && (effects.length === 1 || (effects.length > 1 && !isReadOnly(effects)))) return effects
  throw new TaoError('tool', `Tool "${name}" declares the effects ${showValue(given)}.`, {
    fix: `Name at least one of: ${EFFECTS.join(', ')}.`,
  })
}

/** Timers of Node fire at once beyond 2^31 - 1 milliseconds, so such a limit is refused instead of believed. */
function readTimeLimit(name: string, timeLimit: number = TWO_MINUTES): number {
  if (Number.isInteger(timeLimit) && timeLimit > 0 && timeLimit < 2 ** 31) return timeLimit
  throw new TaoError('tool', `Tool "${name}" has the time limit ${timeLimit}.`, {
    fix: 'Give whole milliseconds, above 0 and below 2147483648.',
  })
}

async function validate(schema: StandardSchemaV1, parameters: JsonObject, input: JsonObject): Promise<Validation> {
  try {
    const problems = findProblems(parameters, input)
    if (problems.length > 0) return { ok: false, problems }
    const result = await schema['~standard'].validate(input)
    if (result.issues === undefined) return { ok: true, input: result.value }
    return { ok: false, problems: result.issues.map((issue) => describeIssue(issue, input)) }
  } catch (thrown) {
    return { ok: false, problems: [`The arguments could not be checked: ${describeError(thrown)}.`] }
  }
}

function describeIssue(issue: StandardSchemaV1.Issue, input: JsonObject): string {
  const keys = (issue.path ?? []).map((part) => (typeof part === 'object' ? part.key : part))
  const where = keys.map(String).join('.')
  const came = keys.reduce<unknown>((value, key) => ownValue(value, key), input)
  return where === '' ? issue.message : `"${where}": ${issue.message} (came: ${showValue(came)}).`
}

function ownValue(value: unknown, key: PropertyKey): unknown {
  if (typeof value !== 'object' || value === null || !Object.hasOwn(value, key)) return undefined
  return Reflect.get(value, key)
}

/** A broken sandbox and a cancelled call are the caller's matter; everything else the model is told. */
function answerThrown(name: string, thrown: unknown, context: ToolContext): ToolResult {
  if (thrown instanceof SandboxError || context.signal.aborted) throw thrown
  return { ok: false, text: `${name} failed: ${describeThrown(thrown)}` }
}

function describeThrown(thrown: unknown): string {
  try {
    return String(describeError(thrown))
  } catch {
    return 'an error that cannot be shown'
  }
}

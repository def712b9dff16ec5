import { readdirSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { fileURLToPath } from 'node:url'
import { z } from 'zod'
import { TaoError } from '../core/error.ts'
import type { JsonObject } from '../core/json.ts'
import { MARKS } from '../core/mark.ts'
import { type Decision, decide, type Situation } from '../policy/decide.ts'
import { explainPolicy } from '../policy/explain.ts'
import { countExamples, loadPolicy } from '../policy/load.ts'
import type { Policy } from '../policy/schema.ts'
import { type FileKind, readTextFile, readYaml } from './yaml-file.ts'

/** Where the policies that ship with Tao lie: `policies` beside `src`, and in the package beside `dist`. */
const SHIPPED = fileURLToPath(new URL('../../policies/', import.meta.url))

const POLICY_FILE: FileKind = {
  code: 'policy',
  name: 'policy',
  ifMissing: `Name one that ships with Tao (${shippedNames().join(', ')}), or the path of a file.`,
  example: 'bank.yaml',
}

function shippedNames(): string[] {
  try {
    return readdirSync(SHIPPED).map((file) => file.replace(/\.yaml$/, ''))
  } catch {
    return []
  }
}

/**
 * Reads a policy: one that ships with Tao, by its name, or a file, relative to `folder`. Throws a `TaoError` that names each
 * problem; a run whose policy does not load does not start.
 */
export async function readPolicy(wanted: string, folder: string): Promise<Policy> {
  const isShipped = shippedNames().includes(wanted)
  const absolute = isShipped ? join(SHIPPED, `${wanted}.yaml`) : resolve(folder, wanted)
  const { value } = readYaml(await readTextFile(absolute, wanted, POLICY_FILE), wanted, POLICY_FILE)
  try {
    return loadPolicy(value)
  } catch (error) {
    if (!(error instanceof TaoError)) throw error
    const fix = error.fix === undefined ? {} : { fix: error.fix }
    throw new TaoError(error.code, error.message.replaceAll(/^/gm, `${wanted}: `), fix)
  }
}

/** A policy as it was named in a folder, named so that it means the same in every folder. */
export const policyNamedIn = (folder: string, wanted: string): string =>
  shippedNames().includes(wanted) ? wanted : resolve(folder, wanted)

/** What `tao policy check` says of one tool. */
export interface CheckedTool {
  readonly tool: string
  readonly sentence: string
  /** Examples that were decided as they say. */
  readonly examples: number
}

export async function checkPolicy(wanted: string, folder: string): Promise<CheckedTool[]> {
  const policy = await readPolicy(wanted, folder)
  return explainPolicy(policy).map(({ tool, sentence }) => {
    const spec = policy.tools[tool]
    return { tool, sentence, examples: spec === undefined ? 0 : countExamples(spec) }
  })
}

const json = z.custom<JsonObject[string]>((value) => value !== undefined)
const object = z.record(z.string(), json)
const numbers = z.int().min(0)

/** A call and the run it is made in; what is not said is a fresh run in which somebody can be asked. */
const trial = z.strictObject({
  tool: z.string(),
  args: object,
  words: z.string().default(''),
  marks: z.array(z.enum(MARKS)).default([]),
  session: object.default({
    tenant: 'tenant',
    client: 'client',
    account: 'account',
    user: 'user',
    workspace: '/workspace',
  }),
  known: z.record(z.string(), z.array(json)).default({}),
  used: z.strictObject({ calls: numbers, money: numbers }).default({ calls: 0, money: 0 }),
  results: z.array(z.string()).default([]),
  canAsk: z.boolean().default(true),
})

const CALL_FILE: FileKind = {
  code: 'policy',
  name: 'call file',
  ifMissing: 'Write one, such as { "tool": "transfer", "args": { "to": "payee:3", "amount": 5000 }, "words": "…" }.',
  example: 'call.json',
}

/** Decides on a call that stands in a file, as `tao policy try` does. */
export async function tryPolicy(wanted: string, callFile: string, folder: string): Promise<Decision> {
  const policy = await readPolicy(wanted, folder)
  const text = await readTextFile(resolve(folder, callFile), callFile, CALL_FILE)
  const reading = trial.safeParse(readYaml(text, callFile, CALL_FILE).value)
  if (!reading.success) throw new TaoError('policy', `${callFile}: ${z.prettifyError(reading.error)}`)
  const { tool, args, words, results, ...rest } = reading.data
  const situation: Situation = {
    ...rest,
    words: [{ kind: 'typed', text: words }],
    results: () => results.map((result, at) => ({ number: at + 1, text: result })),
  }
  return decide(policy, { tool, args }, situation)
}

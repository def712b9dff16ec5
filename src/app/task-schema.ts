import { z } from 'zod'
import { LANGUAGES } from '../core/language.ts'
import type { Limits } from '../core/limits.ts'
import type { Price } from '../model/model.ts'
import { readAllowedHost } from '../sandbox/allow-list.ts'
import { BUILTIN_TOOLS } from '../tools/builtin.ts'
import { contractShape } from './contract-schema.ts'
import { COMPAT_NAMES, PROTOCOL_NAMES } from './protocols.ts'
import { RESEARCH_TOOLS } from './research-tools.ts'
import { BACKENDS, type SandboxChoice } from './sandbox-choice.ts'
import { count, countOrNone, lengthOfTime, paths, text, yesOrNo } from './schema-parts.ts'
import { parseSize, SIZE } from './size.ts'

/*
 * One schema checks the task file, types it and describes it to editors. Each `error` is what follows "must be".
 */

export const TOOL_NAMES: readonly string[] = [...BUILTIN_TOOLS.keys(), ...RESEARCH_TOOLS.keys()]

const DOLLARS = 'an amount of US dollars above 0'

export const limitsShape = {
  modelCalls: count().describe('Requests to the model.').exactOptional(),
  toolCalls: count().describe('Calls the model may ask for, refused and failed ones included.').exactOptional(),
  wallTime: lengthOfTime.describe('Working time, such as 10m; a plain number is milliseconds.').exactOptional(),
  tokens: count().describe('Tokens over all model calls, in and out.').exactOptional(),
  contextTokens: count().describe('Tokens in one request.').exactOptional(),
  cost: z
    .number({ error: DOLLARS })
    .positive({ error: DOLLARS })
    .describe('US dollars over all model calls.')
    .exactOptional(),
  repeats: count().describe('How often the same call may give the same result.').exactOptional(),
  malformedReplies: count().describe('Replies in a row that could not be read.').exactOptional(),
  rejectedClaims: count().describe('Claims to be done that the judge sent back.').exactOptional(),
  refusals: countOrNone().describe('Calls to what the run may not have; 0: the first ends it.').exactOptional(),
} satisfies Record<keyof Limits, z.ZodType>

export const limitsSchema = z.strictObject(limitsShape, { error: 'a table of limits, such as { modelCalls: 8 }' })

const BYTES = 'a size above 0, such as 64KB, 500MB or 2GB'
const size = z
  .union([count(BYTES), z.string({ error: BYTES }).regex(SIZE, { error: BYTES })], { error: BYTES })
  .transform((value, context) => {
    const bytes = typeof value === 'number' ? value : parseSize(value)
    if (bytes !== undefined) return bytes
    context.addIssue({ code: 'custom', message: BYTES })
    return z.NEVER
  })

/** `keep` is no limit of a command: it is how much of its output Tao holds on to. */
export const sandboxShape = {
  backend: z
    .enum(BACKENDS, { error: `one of ${BACKENDS.join(', ')}` })
    .describe('What commands are kept in. external: the container that Tao runs in, and nothing else.')
    .exactOptional(),
  wallTime: lengthOfTime.describe('Time of one command, such as 2m.').exactOptional(),
  cpuTime: lengthOfTime
    .transform((milliseconds) => Math.ceil(milliseconds / 1000))
    .describe('Processor time of each process, in whole seconds, such as 5m.')
    .exactOptional(),
  processes: count().describe('Processes and threads of one command.').exactOptional(),
  memory: size.describe('Address space of each process; Node needs 2GB.').exactOptional(),
  totalMemory: size.describe('Memory of all processes and temporary files of one command.').exactOptional(),
  fileSize: size.describe('Size of one file.').exactOptional(),
  disk: size.describe('How much one command may add to the working copy.').exactOptional(),
  files: count().describe('Files and folders that one command may add to the working copy.').exactOptional(),
  tempSpace: size.describe('Space in each of /tmp, /dev/shm and the home folder.').exactOptional(),
  output: size.describe('Bytes that one command may print.').exactOptional(),
} satisfies Record<Exclude<keyof SandboxChoice, 'keep'>, z.ZodType>

export const workspaceShape = {
  path: text('the path of a folder, such as "."').describe('The folder to work on, relative to this file.'),
  protect: paths('paths that no tool can change').exactOptional(),
  ignore: z
    .array(text('a name'), { error: 'a list of names' })
    .describe('Names of files and folders that are not delivered, beside .git, __pycache__ and their like.')
    .exactOptional(),
}

const HOST = 'a host such as registry.example, "*.example.org" or "host.example:8443"'
const allowedHost = text(HOST).check((context) => {
  const reading = readAllowedHost(context.value)
  if (reading.ok) return
  context.issues.push({ code: 'custom', input: context.value, message: `${HOST}; this one ${reading.problem}` })
})

const RATE = 'US dollars for a million tokens, 0 or more'
const rate = (what: string) => z.number({ error: RATE }).min(0, { error: RATE }).describe(what)

const priceShape = {
  input: rate('Tokens that are read.'),
  cachedInput: rate('Tokens that the service had in its cache.'),
  output: rate('Tokens that are written.'),
} satisfies Record<keyof Price, z.ZodType>

const SHARE = 'a number above 0, and 1 at most'
const PENALTY = 'a number from -2 to 2'

export const retryShape = {
  attempts: count().describe('Attempts in all. Default: 4.').exactOptional(),
  firstWait: lengthOfTime.describe('The first wait; each later one is twice as long. Default: 1s.').exactOptional(),
  longestWait: lengthOfTime.describe('No wait is longer. Default: 60s.').exactOptional(),
  jitter: lengthOfTime
    .describe('How much longer a wait may be, by chance. Default: each wait is any part of its length.')
    .exactOptional(),
  emptyReplies: yesOrNo.describe('A reply that says nothing counts as trouble. Default: false.').exactOptional(),
}

export const taskShape = {
  task: text('a sentence that says what is to be done').describe('What is to be done, in plain words.'),
  workspace: z
    .strictObject(workspaceShape, { error: 'a table such as { path: . }' })
    .describe('The folder that is copied and worked on.')
    .exactOptional(),
  model: text('the name of a model, such as deepseek/deepseek-chat').describe('provider/model').exactOptional(),
  price: z
    .strictObject(priceShape, { error: 'a table such as { input: 0.28, cachedInput: 0.028, output: 0.42 }' })
    .describe('What the model costs, in US dollars for a million tokens: a limit of cost needs it.')
    .exactOptional(),
  script: text('the path of a script').describe('A scripted model that stands in when no key is set.').exactOptional(),
  protocol: z
    .enum(PROTOCOL_NAMES, { error: `one of ${PROTOCOL_NAMES.join(', ')}` })
    .describe('How calls are written in replies.')
    .exactOptional(),
  language: z
    .enum(LANGUAGES, { error: `one of ${LANGUAGES.join(', ')}` })
    .describe("What the model is spoken to in. Default: by the script of the task's text.")
    .exactOptional(),
  prompt: text('the path of a text file')
    .describe("A template of the system message in place of Tao's own, relative to this file.")
    .exactOptional(),
  compat: z
    .enum(COMPAT_NAMES, { error: `one of ${COMPAT_NAMES.join(', ')}` })
    .describe('Another agent whose layout of messages is used, over the protocol tagged.')
    .exactOptional(),
  tools: z
    .array(z.enum(TOOL_NAMES, { error: 'the name of a tool' }), { error: 'a list of tool names' })
    .describe('The tools the model gets; no others.')
    .exactOptional(),
  corpus: text('the path of a folder')
    .describe('Documents that search and visit take from in place of the web, relative to this file.')
    .exactOptional(),
  limits: limitsSchema.describe('The bounds of the run.').exactOptional(),
  sandbox: z
    .strictObject(sandboxShape, { error: 'a table such as { totalMemory: 4GB }' })
    .describe(
      'What commands are kept in, and what one command may use. Sizes are powers of 1024; a plain number is bytes, or milliseconds.',
    )
    .exactOptional(),
  network: z
    .array(allowedHost, { error: 'a list of hosts' })
    .describe('Hosts that commands may reach, at ports 80 and 443 unless a port is named. Default: no network.')
    .exactOptional(),
  policy: text('the name of a policy or the path of a file')
    .describe('What the tools may do: coding, bank, research, or a file relative to this one. See docs/policy.md.')
    .exactOptional(),
  session: z
    .record(z.string(), z.json(), { error: 'a table of values' })
    .describe('What arguments that the policy binds are filled with, beside the client.')
    .exactOptional(),
  known: z
    .record(z.string(), z.array(z.json()), { error: 'a table of lists' })
    .describe('Lists that the policy names, such as the payees of the client.')
    .exactOptional(),
  secrets: z
    .array(text('the name of an environment variable'), { error: 'a list of environment variables' })
    .describe('Variables whose values nobody is to see: they are masked in all that is recorded, sent and shown.')
    .exactOptional(),
  ...contractShape,
  instructions: text('a text').describe('What the model is told beside the task.').exactOptional(),
  temperature: z
    .number({ error: 'a number from 0 to 2' })
    .min(0, { error: 'a number from 0 to 2' })
    .max(2, { error: 'a number from 0 to 2' })
    .describe('Default: 0.')
    .exactOptional(),
  topP: z
    .number({ error: SHARE })
    .positive({ error: SHARE })
    .max(1, { error: SHARE })
    .describe("Default: the service's own.")
    .exactOptional(),
  presencePenalty: z
    .number({ error: PENALTY })
    .min(-2, { error: PENALTY })
    .max(2, { error: PENALTY })
    .describe("Default: the service's own.")
    .exactOptional(),
  retry: z
    .strictObject(retryShape, { error: 'a table such as { attempts: 10 }' })
    .describe('How the model is asked again after trouble that may pass.')
    .exactOptional(),
  maxOutputTokens: count().describe('Tokens that one reply may have. Default: 4096.').exactOptional(),
  stream: yesOrNo.describe('Ask for replies in pieces.').exactOptional(),
  thinking: yesOrNo.describe('Ask the model to reason first, where the service has such a switch.').exactOptional(),
}

export const taskSchema = z.strictObject(taskShape, { error: 'a table that begins with "task: …"' })

/** A task as it is written: paths as they stand there, nothing filled in. */
export type TaskFile = z.output<typeof taskSchema>

/** The schema that editors read. */
export const taskJsonSchema = (): object => ({
  ...z.toJSONSchema(taskSchema, { io: 'input', target: 'draft-07' }),
  title: 'Tao task file',
})

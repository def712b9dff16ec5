import { z } from 'zod'
import type { Limits } from '../core/limits.ts'
import { readAllowedHost } from '../sandbox/allow-list.ts'
import { BUILTIN_TOOLS } from '../tools/builtin.ts'
import { DURATION, parseDuration } from './duration.ts'
import { PROTOCOL_NAMES } from './protocols.ts'
import { BACKENDS, type SandboxChoice } from './sandbox-choice.ts'
import { parseSize, SIZE } from './size.ts'

/*
 * One schema checks the task file, types it and describes it to editors. Each `error` is what follows "must be".
 */

const text = (error: string) => z.string({ error }).trim().min(1, { error })
const count = (error = 'a whole number above 0') => z.number({ error }).int({ error }).positive({ error })
export const TOOL_NAMES: readonly string[] = [...BUILTIN_TOOLS.keys()]

const yesOrNo = z.boolean({ error: 'true or false' })
const paths = (what: string) =>
  z.array(text('a path'), { error: `a list of ${what}` }).describe(`A list of ${what}, relative to the workspace.`)

const TIME = 'a length of time above 0, such as 90s, 10m or 1h'
const lengthOfTime = z
  .union([count(TIME), z.string({ error: TIME }).regex(DURATION, { error: TIME })], { error: TIME })
  .transform((value, context) => {
    const milliseconds = typeof value === 'number' ? value : parseDuration(value)
    if (milliseconds !== undefined) return milliseconds
    context.addIssue({ code: 'custom', message: TIME })
    return z.NEVER
  })

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
  refusals: count().describe('Calls to what the run may not have.').exactOptional(),
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

const pattern = (where: string) =>
  text('a text, or a regular expression between slashes').describe(
    `A text that ${where} must contain, or /regular expression/.`,
  )

export const criterionShapes = {
  command: {
    command: text('a command line').describe('Holds when this command ends with exit code 0, in a clean copy.'),
    matches: pattern('its output').exactOptional(),
    timeLimit: lengthOfTime.describe('How long it may take, such as 5m.').exactOptional(),
  },
  unchanged: { unchanged: paths('paths that must be as they were').min(1, { error: 'a list with at least one path' }) },
  file: {
    file: text('a path').describe('Holds when this file is there.'),
    exists: yesOrNo.describe('false: nothing may be there.').exactOptional(),
    matches: pattern('the file').exactOptional(),
  },
}

const CRITERION = 'a criterion: { command: … }, { unchanged: […] } or { file: … }'
const { command, unchanged, file } = criterionShapes

export const taskShape = {
  task: text('a sentence that says what is to be done').describe('What is to be done, in plain words.'),
  workspace: z
    .strictObject(workspaceShape, { error: 'a table such as { path: . }' })
    .describe('The folder that is copied and worked on.')
    .exactOptional(),
  model: text('the name of a model, such as deepseek/deepseek-chat').describe('provider/model').exactOptional(),
  script: text('the path of a script').describe('A scripted model that stands in when no key is set.').exactOptional(),
  protocol: z
    .enum(PROTOCOL_NAMES, { error: `one of ${PROTOCOL_NAMES.join(', ')}` })
    .describe('How calls are written in replies.')
    .exactOptional(),
  tools: z
    .array(z.enum(TOOL_NAMES, { error: 'the name of a tool' }), { error: 'a list of tool names' })
    .describe('The tools the model gets; no others.')
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
  done: z
    .array(z.union([z.strictObject(command), z.strictObject(unchanged), z.strictObject(file)], { error: CRITERION }), {
      error: 'a list of criteria',
    })
    .describe('What must hold, checked by code, before the run is a success.')
    .exactOptional(),
  instructions: text('a text').describe('What the model is told beside the task.').exactOptional(),
  temperature: z
    .number({ error: 'a number from 0 to 2' })
    .min(0, { error: 'a number from 0 to 2' })
    .max(2, { error: 'a number from 0 to 2' })
    .describe('Default: 0.')
    .exactOptional(),
  maxOutputTokens: count().describe('Tokens that one reply may have. Default: 4096.').exactOptional(),
  stream: yesOrNo.describe('Ask for replies in pieces.').exactOptional(),
  thinking: yesOrNo.describe('Ask the model to reason first, where the service has such a switch.').exactOptional(),
}

export const taskSchema = z.strictObject(taskShape, { error: 'a table that begins with "task: …"' })

/** A task as it is written: paths as they stand there, nothing filled in. */
export type TaskFile = z.output<typeof taskSchema>
export type CriterionSpec = NonNullable<TaskFile['done']>[number]

/** The schema that editors read. */
export const taskJsonSchema = (): object => ({
  ...z.toJSONSchema(taskSchema, { io: 'input', target: 'draft-07' }),
  title: 'Tao task file',
})

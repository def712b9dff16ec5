import { z } from 'zod'
import { count, lengthOfTime, paths, text, yesOrNo } from './schema-parts.ts'

/*
 * The part of the task file that says what counts as done: criteria, facts, and what the answer is made from.
 */

const PATTERN = 'a text, or a regular expression between slashes'
const pattern = (where: string) => text(PATTERN).describe(`A text that ${where} must contain, or /regular expression/.`)

const mustFailFirst = yesOrNo
  .describe('true: the run does not start unless this fails on the files as they are.')
  .exactOptional()
const fresh = yesOrNo
  .describe('false: also what was seen before the last change counts. Default: true.')
  .exactOptional()

const ARGUMENTS = 'a table of arguments, such as { path: a.txt }'
const withArguments = z
  .record(z.string(), z.json(), { error: ARGUMENTS })
  .describe('Arguments it must have had: a text is that text, /expression/ a pattern, all else the value itself.')
  .exactOptional()

const TABLE = 'a table'
export const answerShape = {
  schema: z
    .record(z.string(), z.json(), { error: TABLE })
    .describe('JSON Schema; the answer is then JSON alone.')
    .exactOptional(),
  matches: pattern('the answer').exactOptional(),
  language: text('two letters, such as en').describe('ISO 639-1, such as en.').exactOptional(),
  minLength: count().describe('Characters.').exactOptional(),
  maxLength: count().describe('Characters.').exactOptional(),
}

/** The kinds of criteria that stand for themselves, by the key that tells them apart. */
const simpleShapes = {
  command: {
    command: text('a command line').describe('Holds when this command ends with exit code 0, in a clean copy.'),
    matches: pattern('its output').exactOptional(),
    timeLimit: lengthOfTime.describe('How long it may take, such as 5m.').exactOptional(),
    mustFailFirst,
  },
  unchanged: { unchanged: paths('paths that must be as they were').min(1, { error: 'a list with at least one path' }) },
  changed: { changed: paths('the only paths that may differ').min(1, { error: 'a list with at least one path' }) },
  file: {
    file: text('a path').describe('Holds when this file is there.'),
    exists: yesOrNo.describe('false: nothing may be there.').exactOptional(),
    matches: pattern('the file').exactOptional(),
    mustFailFirst,
  },
  called: {
    called: text('the name of a tool').describe('Holds when this tool was called, and succeeded.'),
    with: withArguments,
    matches: pattern('its result').exactOptional(),
    exit: z.number({ error: 'an exit code' }).int({ error: 'an exit code' }).describe('Default: 0.').exactOptional(),
    fresh,
  },
  fact: {
    fact: text('the name of a fact').describe('Holds when an observation established this fact.'),
    equals: z.union([z.string(), z.number(), z.boolean()], { error: 'a value' }).describe('Its value.').exactOptional(),
    matches: pattern('its value').exactOptional(),
    fresh,
  },
  answer: { answer: z.strictObject(answerShape, { error: TABLE }).describe('What the answer must be like.') },
  grounded: {
    grounded: z
      .literal(true, { error: 'true' })
      .describe('Every number, date, identifier, quotation and link of the answer was observed.'),
  },
  model: {
    model: text('the name of a model').describe('Who grades the answer: provider/model. An opinion, never a proof.'),
    rubric: text('what the answer must be like').describe('What the answer must be like, in plain words.'),
    timeLimit: lengthOfTime.describe('How long it may take, such as 2m.').exactOptional(),
  },
}

const parts = z.array(
  z.lazy((): z.ZodType<CriterionSpec, CriterionSpec> => criterionSchema),
  { error: 'a list of criteria' },
)
const combinedShapes = {
  all: { all: parts.min(1, { error: 'a list with at least one criterion' }), mustFailFirst },
  any: { any: parts.min(1, { error: 'a list with at least one criterion' }), mustFailFirst },
  not: { not: z.lazy((): z.ZodType<CriterionSpec, CriterionSpec> => criterionSchema), mustFailFirst },
}

export const criterionShapes = { ...simpleShapes, ...combinedShapes }

const KINDS = Object.keys(criterionShapes)
const CRITERION = `a criterion: ${KINDS.slice(0, -1)
  .map((kind) => `{ ${kind}: … }`)
  .join(', ')} or { not: … }`

const simple = [
  z.strictObject(simpleShapes.command),
  z.strictObject(simpleShapes.unchanged),
  z.strictObject(simpleShapes.changed),
  z.strictObject(simpleShapes.file),
  z.strictObject(simpleShapes.called),
  z.strictObject(simpleShapes.fact),
  z.strictObject(simpleShapes.answer),
  z.strictObject(simpleShapes.grounded),
  z.strictObject(simpleShapes.model),
] as const

/** A criterion that stands for itself. */
export type SimpleSpec = z.output<(typeof simple)[number]>

/** A criterion as a task file says it. */
export type CriterionSpec =
  | SimpleSpec
  | { readonly all: readonly CriterionSpec[]; readonly mustFailFirst?: boolean }
  | { readonly any: readonly CriterionSpec[]; readonly mustFailFirst?: boolean }
  | { readonly not: CriterionSpec; readonly mustFailFirst?: boolean }

const criterionSchema: z.ZodType<CriterionSpec, CriterionSpec> = z.union(
  [
    ...simple,
    z.strictObject(combinedShapes.all),
    z.strictObject(combinedShapes.any),
    z.strictObject(combinedShapes.not),
  ],
  { error: CRITERION },
) as unknown as z.ZodType<CriterionSpec, CriterionSpec>

const SOURCE = 'a table such as { tool: read_file, with: { path: a.json }, path: items[0].id }'
const factSource = z.strictObject(
  {
    tool: text('the name of a tool').describe('The tool whose result establishes it.'),
    with: withArguments,
    pattern: text('/expression/').describe('Finds the value: the group "value", else the first group.').exactOptional(),
    path: text('a path such as items[0].id').describe('Where the value stands in a JSON result.').exactOptional(),
  },
  { error: SOURCE },
)

const FACT_NAME = 'a name of letters, digits, "_" and "-"'

export const contractShape = {
  done: z
    .array(criterionSchema, { error: 'a list of criteria' })
    .describe('What must hold, checked by code, before the run is a success.')
    .exactOptional(),
  facts: z
    .record(
      z.string().regex(/^[\w-]{1,64}$/, { error: FACT_NAME }),
      z.union([factSource, z.array(factSource).min(1)], { error: SOURCE }),
      {
        error: 'a table of facts, each with the call that establishes it',
      },
    )
    .describe('What the task wants to know, and the calls whose results establish it.')
    .exactOptional(),
  answer: text('a text with {{fact}} in it')
    .describe('The answer is made from this text and the facts, in place of what the model writes.')
    .exactOptional(),
  outOfScope: z
    .array(text('a sentence'), { error: 'a list of sentences' })
    .describe('What is not to be done, told to the model.')
    .exactOptional(),
  handOver: yesOrNo
    .describe('true: a run that does not finish is blocked, with a note for the person who takes over.')
    .exactOptional(),
}

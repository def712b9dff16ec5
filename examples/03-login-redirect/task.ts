import { z } from 'zod'
import { check, commandTool, type RunTaskOptions } from '../../src/index.ts' // in a project of your own: 'tao-agent'

const SITE = `${import.meta.dirname}/site`
/** The Node that Tao runs on; every sandbox has it here. */
const NODE = '/opt/node/bin/node'

export const TASK =
  'Whoever opens /settings before the login lands on / afterwards. Find out why, with evidence. Nothing is to be changed.'

/** These tests and no others. */
const runTest = commandTool({
  name: 'run_test',
  description: 'Runs one of the tests of the site.',
  input: z.object({ test: z.enum(['redirect', 'session-keys']) }),
  effects: 'read',
  timeLimit: 60_000,
  command: ({ test }) => [NODE, '--test', '--test-isolation=none', '--test-reporter=tap', `tests/${test}.test.ts`],
})

const searchCode = commandTool({
  name: 'search_code',
  description: 'Finds the lines of the site that contain a text: path:line:text.',
  input: z.object({ text: z.string().min(1) }),
  effects: 'read',
  command: ({ text }) => ['grep', '-rnF', '--include=*.ts', '-e', text, 'src'],
})

/** What counts as done: the bug was seen, both files were read, and a test has shown that their keys differ. */
export const CONTRACT = {
  protocol: 'thought-action',
  workspace: { path: SITE, protect: ['package.json', 'src', 'tests'] },
  tools: [runTest, searchCode, 'read_file'],
  limits: { modelCalls: 8, malformedReplies: 2, rejectedClaims: 2, refusals: 0 },
  done: [
    { called: 'run_test', with: { test: 'redirect' }, exit: 1, matches: '/^not ok .* lands on the page/m' },
    { called: 'read_file', with: { path: '/^(?:\\./)?src/login\\.ts$/' } },
    { called: 'read_file', with: { path: '/^(?:\\./)?src/callback\\.ts$/' } },
    { called: 'run_test', with: { test: 'session-keys' }, exit: 1 },
    check({
      name: 'the two keys differ',
      check: ({ record: { facts } }) => {
        const [stored, read] = ['stored', 'read'].map((name) => facts.find(({ fact }) => fact === name)?.value)
        const isShown = stored !== undefined && read !== undefined && stored !== read
        return { holds: isShown, detail: `stored as ${stored ?? 'not known'}, read as ${read ?? 'not known'}` }
      },
    }),
  ],
  facts: [
    { name: 'landed', from: [{ tool: 'run_test', with: { test: 'redirect' }, pattern: '/landed on (\\S+)/' }] },
    keyFact('stored', '/stores the path as <([^>]+)>/'),
    keyFact('read', '/the callback reads <([^>]+)>/'),
  ],
  answer:
    'Who came for /settings lands on {{landed}}: the login entry keeps the path in the session as "{{stored}}", the callback ' +
    'reads "{{read}}", which nobody has written. With one key for both the path is found.',
} satisfies RunTaskOptions

function keyFact(name: string, pattern: string) {
  return { name, from: [{ tool: 'run_test', with: { test: 'session-keys' }, pattern }] }
}

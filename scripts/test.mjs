// `npm test`: every test of the project. Arguments are handed to node's test runner; files among them replace the globs.
import { availableParallelism } from 'node:os'
import { NODE, run, setup } from './setup.mjs'

const LONGEST_TEST_MS = 300_000
/** A test that blocks its process has no time limit of its own: the runner is ended, and names the files that still ran. */
const LONGEST_ALL_MS = 25 * 60_000

setup({ forTests: true })
const args = process.argv.slice(2)
const flags = args.filter((arg) => arg.startsWith('-'))
const files = args.filter((arg) => !arg.startsWith('-'))
const globs = files.length > 0 ? files : ['src/**/*.test.ts', 'test/**/*.test.ts']
const bounds = [`--test-concurrency=${availableParallelism()}`, `--test-timeout=${LONGEST_TEST_MS}`]
process.exitCode = await run(NODE, ['--test', ...bounds, ...flags, ...globs], { timeout: LONGEST_ALL_MS })

// `npm run check`: everything a change must pass. The first failure stops; the tests come last and their summary ends it.
import { join } from 'node:path'
import { NODE, ROOT, run, setup } from './setup.mjs'

const bin = (name) => join(ROOT, 'node_modules/.bin', name)

/** Biome finds the files itself; the others are named so that a failure says where to look. */
const STEPS = [
  { name: 'format and lint', command: [bin('biome'), 'check', '--error-on-warnings', '.'], mend: 'npm run format' },
  { name: 'types', command: [bin('tsc'), '-p', 'tsconfig.json'] },
  { name: 'floor plan', command: [NODE, '--test', '--test-reporter=dot', 'test/floor-plan.test.ts'] },
  { name: 'dead code', command: [NODE, bin('knip')] },
  { name: 'tests', command: [process.execPath, 'scripts/test.mjs'] },
]

setup({ forTests: true })
for (const { name, command, mend } of STEPS) {
  process.stderr.write(`\ncheck: ${name}\n`)
  const [program, ...args] = command
  const exit = await run(program, args)
  if (exit === 0) continue
  const hint = mend === undefined ? '' : `; perhaps \`${mend}\` mends it`
  process.stderr.write(`\ncheck: ${name} failed (exit ${exit})${hint}\n`)
  process.exitCode = exit
  break
}

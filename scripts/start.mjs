// `npm start`: the first example. `npm start -- "a task" --workspace DIR`: `tao run`, from the folder npm was called from.
import { join } from 'node:path'
import { ROOT, runTao, setup } from './setup.mjs'

const EXAMPLE = join(ROOT, 'examples/01-fix-failing-test/fix.task.yaml')

setup()
const args = process.argv.slice(2)
process.exitCode = await runTao(['run', ...(args.length === 0 ? [EXAMPLE] : args)])

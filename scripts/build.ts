// `npm run build`: dist/ (JavaScript and types, no tests) and schema/, from nothing.
import { spawnSync } from 'node:child_process'
import { mkdirSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { taskJsonSchema } from '../src/app/task-schema.ts'

const root = join(import.meta.dirname, '..')

rmSync(join(root, 'dist'), { recursive: true, force: true })
mkdirSync(join(root, 'schema'), { recursive: true })
writeFileSync(join(root, 'schema/task.schema.json'), `${JSON.stringify(taskJsonSchema(), undefined, 2)}\n`)

const tsc = spawnSync(join(root, 'node_modules/.bin/tsc'), ['-p', 'tsconfig.build.json'], {
  cwd: root,
  stdio: ['ignore', 2, 2],
})
process.exitCode = tsc.status ?? 1

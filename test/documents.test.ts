import assert from 'node:assert/strict'
import { existsSync, globSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { parse } from 'yaml'
import { taskSchema } from '../src/app/task-schema.ts'
import { EXIT_CODES } from '../src/core/outcome.ts'

const ROOT = join(import.meta.dirname, '..')
const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')
const PAGES = globSync(['*.md', 'docs/*.md', 'examples/*/*.md', 'bench/*.md'], { cwd: ROOT }).sort()

const codeIn = (page: string, language: string): string[] =>
  Array.from(page.matchAll(new RegExp(`^\`\`\`${language}\\n(.*?)^\`\`\`$`, 'gms')), ([, code = '']) => code)

for (const page of PAGES)
  test(`every file that ${page} links to is there`, () => {
    const targets = Array.from(read(page).matchAll(/\]\(([^)#\s]+)\)/g), ([, target = '']) => target)
    const missing = targets.filter(
      (target) => !/^https?:/.test(target) && !existsSync(join(ROOT, dirname(page), target)),
    )
    assert.deepEqual(missing, [])
  })

test('the README tells the exit codes that runs have', () => {
  const rows = read('README.md').matchAll(/^\| `(\w+)` \| .* \| (\d+) \|$/gm)
  assert.deepEqual(Object.fromEntries(Array.from(rows, ([, status, code]) => [status, Number(code)])), EXIT_CODES)
})

test('the task file in the README is one that Tao accepts', () => {
  const files = codeIn(read('README.md'), 'yaml')
  assert.equal(files.length, 1)
  for (const file of files) assert.equal(taskSchema.safeParse(parse(file)).error, undefined)
})

test('the README shows the library example as it stands there', () => {
  const agent = read('examples/00-library/agent.ts')
  const shown = agent.replace("'../../src/index.ts' // in a project of your own: 'tao-agent'", "'tao-agent'")
  assert.deepEqual(codeIn(read('README.md'), 'ts'), [shown])
})

test('the README shows what the first example prints', () => {
  const [printed = ''] = codeIn(read('README.md'), 'text')
  assert.match(printed, /^No real model/)
  assert.match(printed, /^success: .*$/m)
  assert.match(printed, /^ {2}shop\/delivery\.py$/m)
})

test('the idea can be read in about 1,000 lines', () => {
  const files = ['next', 'evolve', 'advance', 'ask', 'check', 'execute', 'judge', 'finish'].map(
    (name) => `src/run/${name}.ts`,
  )
  const lines = [...files, 'src/core/event.ts'].map((file) => read(file).split('\n').length)
  assert.ok(lines.reduce((sum, count) => sum + count) <= 1_050, `${lines}`)
})

test('the page for contributors is short', () => {
  assert.ok(read('CONTRIBUTING.md').split('\n').length <= 60)
})

import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { delimiter, dirname, join } from 'node:path'
import { after, before, test } from 'node:test'
import { taskJsonSchema } from '../src/app/task-schema.ts'

const ROOT = join(import.meta.dirname, '..')
const CLONE = [
  'package.json',
  'tsconfig.json',
  'tsconfig.build.json',
  'src',
  'bin',
  'scripts',
  'schema',
  'policies',
  'presets',
  'report',
]
const PAPERS = ['LICENSE', 'README.md', 'CHANGELOG.md']
const SLOW = 120_000

/** A folder with the project to pack, and an empty project that the package is installed into. */
let folder = ''
let packed: readonly string[] = []
const project = () => join(folder, 'project')

before(
  () => {
    folder = mkdtempSync(join(tmpdir(), 'tao-package-'))
    chmodSync(folder, 0o755) // commands run as another user
    const clone = join(folder, 'clone')
    for (const path of [...CLONE, ...PAPERS]) cpSync(join(ROOT, path), join(clone, path), { recursive: true })
    symlinkSync(join(ROOT, 'node_modules'), join(clone, 'node_modules'))
    const [result] = JSON.parse(run('npm', ['pack', '--json', '--pack-destination', folder], clone).stdout) as [Packed]
    packed = result.files.map(({ path }) => path)
    mkdirSync(project())
    writeFileSync(join(project(), 'package.json'), '{ "private": true, "type": "module" }')
    run('npm', ['install', '--prefer-offline', '--no-audit', '--no-fund', join(folder, result.filename)], project())
  },
  { timeout: SLOW },
)

after(() => rmSync(folder, { recursive: true, force: true }))

interface Packed {
  readonly filename: string
  readonly files: readonly { readonly path: string }[]
}

test('the package holds what is run and what is read, and nothing else', () => {
  const allowed =
    /^(package\.json|LICENSE|README\.md|CHANGELOG\.md|bin\/tao\.js|schema\/[\w.]+\.json|policies\/\w+\.yaml|presets\/\w+\.task\.yaml|report\/\w+\.(js|css|html)|dist\/.+(\.js|\.d\.ts))$/
  assert.deepEqual(
    packed.filter((path) => !allowed.test(path) || /\.(test|contract)\./.test(path)),
    [],
  )
  for (const path of [
    'bin/tao.js',
    'dist/index.js',
    'dist/index.d.ts',
    'dist/cli/main.js',
    'dist/tools/inside/main.js',
  ])
    assert.ok(packed.includes(path), path)
  for (const path of [...PAPERS, 'schema/task.schema.json', 'presets/research.task.yaml', 'report/page.js'])
    assert.ok(packed.includes(path), path)
})

test('the schema for editors is the one that task files are checked with', () => {
  const written: unknown = JSON.parse(readFileSync(join(ROOT, 'schema/task.schema.json'), 'utf8'))
  assert.deepEqual(written, JSON.parse(JSON.stringify(taskJsonSchema())), 'write it anew with: npm run build')
})

test('an installed package answers npx tao', { timeout: SLOW }, () => {
  const { stdout } = run('npx', ['--no-install', 'tao', '--help'], project())
  assert.match(stdout, /\brun\b.*\bapply\b.*\bdoctor\b/s)
  const doctor = runAny('npx', ['--no-install', 'tao', 'doctor'], project())
  assert.match(doctor.stdout + doctor.stderr, /sandbox/i)
  assert.doesNotMatch(doctor.stderr, /^\s+at /m)
})

test('an installed package runs a task: its tools work from dist', { timeout: SLOW }, () => {
  mkdirSync(join(project(), 'words'))
  writeFileSync(join(project(), 'words/hello.txt'), 'Hello moon\n')
  const edit = { name: 'edit', arguments: { path: 'hello.txt', old_text: 'moon', new_text: 'sun' } }
  writeFileSync(join(project(), 'script.json'), JSON.stringify([{ calls: [edit] }, { text: 'Done.' }]))
  const args = ['run', 'Greet the sun.', '--workspace', 'words', '--model', 'scripted/script.json', '--json']
  const { stdout } = run('npx', ['--no-install', 'tao', ...args], project())
  const last = JSON.parse(stdout.trimEnd().split('\n').at(-1) ?? '') as Readonly<Record<string, unknown>>
  const outcome = (last.outcome ?? last) as { readonly status: string; readonly changed: readonly string[] }
  assert.deepEqual([outcome.status, outcome.changed], ['answered', ['hello.txt']])
})

test('an installed package is a library with types: the example runs and is checked in a project', {
  timeout: SLOW,
}, () => {
  for (const file of ['agent.ts', 'stand-in.ts']) {
    const source = readFileSync(join(ROOT, 'examples/00-library', file), 'utf8')
    writeFileSync(join(project(), file), source.replace(/'[./]+\/src\/index\.ts'/, "'tao-agent'"))
  }
  assert.match(run(process.execPath, ['agent.ts'], project()).stdout, /answered: No: 4 cups for 6 guests/)
  assert.equal(checkTypes('agent.ts').stdout, '')
  const wrong = "import { z } from 'zod'\nimport { tool } from 'tao-agent'\n"
  const call = "tool({ name: 'a', description: '', input: z.object({ b: z.string() }), run: ({ b }) => b.toFixed() })\n"
  writeFileSync(join(project(), 'wrong.ts'), wrong + call)
  assert.match(checkTypes('wrong.ts').stdout, /^wrong\.ts\(3,\d+\): error TS2\d{3}.*toFixed.*\n$/)
})

test('scores are an entry of their own, with types, and runs load none of it', { timeout: SLOW }, () => {
  const record = "{ question: '?', answer: 'yes', prediction: 'Yes.', messages: [] }"
  const lines = [
    "import { compare, score } from 'tao-agent/score'",
    `const scores = await score([${record}])`,
    "const { ties } = compare({ name: 'a', ...scores }, { name: 'b', ...scores })",
    'console.log(scores.summary.averagePassAt1.share, ties)',
  ]
  writeFileSync(join(project(), 'scores.ts'), `${lines.join('\n')}\n`)
  assert.equal(run(process.execPath, ['scores.ts'], project()).stdout, '1 1\n')
  assert.equal(checkTypes('scores.ts').stdout, '')
  const watching = [
    "import { registerHooks } from 'node:module'",
    'const loaded = []',
    'registerHooks({ load: (url, context, next) => (loaded.push(url), next(url, context)) })',
    "await import('tao-agent')",
    'console.log(loaded.length > 50, loaded.filter((url) => /\\/dist\\/(score|batch)\\b/.test(url)))',
  ]
  writeFileSync(join(project(), 'watching.js'), `${watching.join('\n')}\n`)
  assert.equal(run(process.execPath, ['watching.js'], project()).stdout, 'true []\n')
})

test('an older Node is told which version is needed', () => {
  const pretend = "data:text/javascript,Object.defineProperty(process.versions,'node',{value:'22.17.1'})"
  const ways = [[process.execPath, '--import', pretend], ...olderNodes().map((node) => [node])]
  for (const [node = '', ...flags] of ways) {
    const { exit, stdout, stderr } = runAny(
      node,
      [...flags, join(project(), 'node_modules/tao-agent/bin/tao.js')],
      project(),
    )
    assert.equal(exit, 2, stderr)
    assert.equal(stdout, '')
    assert.match(stderr, /Node(\.js)? (>= |≥ )?22\.18/)
    assert.equal(stderr.trimEnd().split('\n').length <= 3, true, stderr)
  }
})

/** Those on the path of this machine that are older than Tao needs; perhaps none. */
function olderNodes(): string[] {
  const found = runAny('which', ['-a', 'node'], ROOT)
    .stdout.split('\n')
    .filter((path) => path !== '')
  return found.filter((path) => {
    const [major = 0, minor = 0] = execFileSync(path, ['--version'], { encoding: 'utf8' })
      .slice(1)
      .split('.')
      .map(Number)
    return major < 22 || (major === 22 && minor < 18)
  })
}

/** As strict as a project can be. */
function checkTypes(file: string): Ran {
  const flags = ['--noEmit', '--strict', '--module', 'nodenext', '--target', 'es2024', '--allowImportingTsExtensions']
  const types = ['--types', 'node', '--typeRoots', join(ROOT, 'node_modules/@types'), '--exactOptionalPropertyTypes']
  return runAny(join(ROOT, 'node_modules/.bin/tsc'), [...flags, ...types, file], project())
}

interface Ran {
  readonly exit: number
  readonly stdout: string
  readonly stderr: string
}

/** Runs a program on the Node of this test, with no keys and a state directory of its own. */
function runAny(program: string, args: readonly string[], cwd: string): Ran {
  const { PATH, HOME } = process.env
  const env = { PATH: `${dirname(process.execPath)}${delimiter}${PATH}`, HOME, TAO_HOME: join(folder, 'home') }
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, env, encoding: 'utf8', timeout: SLOW })
  if (error !== undefined) throw error
  return { exit: status ?? -1, stdout, stderr }
}

function run(program: string, args: readonly string[], cwd: string): Ran {
  const ran = runAny(program, args, cwd)
  assert.equal(ran.exit, 0, `${program} ${args.join(' ')}\n${ran.stdout}\n${ran.stderr}`)
  return ran
}

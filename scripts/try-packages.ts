// `npm run try-packages`: Tao on other people's code. Downloads three public packages, plants a bug in each, has it mended
// by the command as a user calls it, and looks at what became of the files. A script stands in for the model. Needs the
// network, npm and apt-get; exits with 1 when a promise did not hold, and leaves that package where it says.
import assert from 'node:assert/strict'
import { spawn, spawnSync } from 'node:child_process'
import { hash } from 'node:crypto'
import { once } from 'node:events'
import {
  chmodSync,
  cpSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  renameSync,
  rmSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import type { Event } from '../src/core/event.ts'
import { taskOf } from './try-packages-script.ts'

interface Package {
  readonly name: string
  /** Puts the package into a folder that is there and empty. */
  readonly fetch: (folder: string) => void
  /** Runs its tests, offline, with what lies in the folder and on the system. */
  readonly tests: string
  readonly protect: readonly string[]
  /** `right` stands once in the file, within one line, and `wrong` nowhere; the tests notice the difference. */
  readonly bug: { readonly file: string; readonly right: string; readonly wrong: string }
}

const PACKAGES: readonly Package[] = [
  {
    name: 'mime 1.6.0, CommonJS',
    fetch: (folder) => unpackNpm('mime@1.6.0', folder),
    tests: 'node src/test.js',
    protect: ['src', 'package.json'],
    bug: { file: 'mime.js', right: 'fallback || this.default_type', wrong: 'this.default_type || fallback' },
  },
  {
    name: 'cborg 4.2.15, ES modules with node_modules',
    fetch(folder) {
      unpackNpm('cborg@4.2.15', folder)
      addModules(['mocha@11.7.5', 'chai@6.2.1'], folder)
    },
    tests: 'node node_modules/mocha/bin/mocha.js "test/test-[0-9j]*.js"',
    protect: ['test', 'node_modules', 'package.json'],
    bug: { file: 'lib/json/decode.js', right: 'this.ch() === 101 ||', wrong: 'this.ch() === 102 ||' },
  },
  {
    name: 'pyflakes of Debian, Python',
    fetch: (folder) => unpackDebian('python3-pyflakes', 'usr/lib/python3/dist-packages', folder),
    tests: 'python3 -m unittest pyflakes.test.test_dict pyflakes.test.test_undefined_names',
    protect: ['pyflakes/test'],
    bug: { file: 'pyflakes/checker.py', right: 'results.get(item, 0) + 1', wrong: 'results.get(item, 0) + 2' },
  },
]

const ROOT = join(import.meta.dirname, '..')
const SCRIPT = join(import.meta.dirname, 'try-packages-script.ts')
const TIME_LIMIT_MS = 300_000

const top = mkdtempSync(join(tmpdir(), 'tao-packages-'))
chmodSync(top, 0o711) // Commands of a run that root started run as another user, who has to get through.
let failures = 0
for (const [index, each] of PACKAGES.entries()) {
  const place = join(top, `${index}`)
  try {
    console.log(`${each.name}: ${await tryPackage(each, place)}`)
  } catch (error) {
    failures++
    console.log(`${each.name}: FAILED, see ${place}\n${error instanceof Error ? error.message : error}`)
  }
}
if (failures === 0) rmSync(top, { recursive: true })
else process.exitCode = 1

/** Gives what there is to say about it in one line; throws what did not hold. */
async function tryPackage({ fetch, tests, protect, bug }: Package, place: string): Promise<string> {
  const folder = join(place, 'package')
  mkdirSync(folder, { recursive: true })
  fetch(folder)
  const original = readTree(folder)
  plant(join(folder, bug.file), bug)
  const planted = readTree(folder)

  const task = taskOf({ wrong: bug.wrong, right: bug.right, command: tests })
  const wishes = ['--workspace', folder, '--done', tests, ...protect.flatMap((path) => ['--protect', path])]
  const run = await tao(place, ['run', task, ...wishes, '--model', `scripted/${SCRIPT}`, '--json'])
  const events = run.stdout.split('\n').flatMap((line) => (line === '' ? [] : [JSON.parse(line) as Event]))
  const end = events.at(-1)
  assert.ok(end?.kind === 'run.ended', `The run has no end:\n${run.stderr}`)
  const { status, reason, changed, modelCalls, toolCalls } = end.outcome
  assert.equal(`${run.exit} ${status}`, '0 success', `${reason} ${end.outcome.answer}`)
  assert.deepEqual(changed, [bug.file], 'another file than the one with the bug was changed')
  assert.deepEqual(readTree(folder), planted, 'the tree was touched before tao apply')

  const diff = await tao(place, ['diff', end.run])
  const [removed = '', added = '', ...more] = diff.stdout.split('\n').filter((line) => /^[-+](?![-+]{2} )/.test(line))
  assert.ok(
    removed.includes(bug.wrong) && added.includes(bug.right) && more.length === 0,
    `tao diff says:\n${diff.stdout}`,
  )

  const apply = await tao(place, ['apply', end.run])
  assert.equal(apply.exit, 0, `tao apply: ${apply.stderr}`)
  assert.deepEqual(readTree(folder), original, 'tao apply did not bring the original back')

  const size = `${original.size} paths, ${Math.round(bytesOf(folder, original) / 1024)} KiB`
  const work = `${modelCalls} model calls, ${toolCalls} tool calls`
  const times = `first event ${said(run.firstMs)}, run ${said(run.tookMs)}, diff ${said(diff.tookMs)}, apply ${said(apply.tookMs)}`
  return `mended. ${size}; ${work}; ${times}`
}

function plant(file: string, { right, wrong }: Package['bug']): void {
  const before = readFileSync(file, 'utf8')
  assert.equal(before.split(right).length, 2, `"${right}" does not stand once in ${file}`)
  assert.ok(!before.includes(wrong), `"${wrong}" stands in ${file} already`)
  writeFileSync(
    file,
    before.replace(right, () => wrong),
  )
}

interface Called {
  readonly exit: number | null
  readonly stdout: string
  readonly stderr: string
  /** Milliseconds until the first byte on standard output, and until the end. */
  readonly firstMs: number
  readonly tookMs: number
}

/** Calls the command from the folder above the package, with a state directory of its own. */
async function tao(place: string, args: readonly string[]): Promise<Called> {
  const began = performance.now()
  const child = spawn(process.execPath, [join(ROOT, 'src/cli/main.ts'), ...args], {
    cwd: place,
    env: { ...process.env, TAO_HOME: join(place, 'home') },
    stdio: ['ignore', 'pipe', 'pipe'],
    timeout: TIME_LIMIT_MS,
  })
  let firstMs = 0
  child.stdout.once('data', () => {
    firstMs = performance.now() - began
  })
  const [stdout, stderr, [exit]] = await Promise.all([text(child.stdout), text(child.stderr), once(child, 'close')])
  return { exit: exit as number | null, stdout, stderr, firstMs, tookMs: performance.now() - began }
}

/** Every path below the folder with its mode and its content, or where a link leads. */
function readTree(folder: string): Map<string, string> {
  const paths = readdirSync(folder, { recursive: true, encoding: 'utf8' }).sort()
  return new Map(
    paths.map((path) => {
      const found = lstatSync(join(folder, path))
      if (found.isSymbolicLink()) return [path, `link ${readlinkSync(join(folder, path))}`]
      const content = found.isFile() ? hash('sha256', readFileSync(join(folder, path))) : 'folder'
      return [path, `${found.mode.toString(8)} ${content}`]
    }),
  )
}

function bytesOf(folder: string, tree: ReadonlyMap<string, string>): number {
  const sizes = [...tree.keys()].map((path) => lstatSync(join(folder, path))).filter((found) => found.isFile())
  return sizes.reduce((sum, { size }) => sum + size, 0)
}

function unpackNpm(name: string, folder: string): void {
  const above = join(folder, '..')
  const file = call('npm', ['pack', name, '--silent'], above).trim()
  call('tar', ['-xzf', file, '-C', folder, '--strip-components=1'], above)
}

/** Installed beside the package and moved in: its own list of packages stays as it is. */
function addModules(names: readonly string[], folder: string): void {
  const beside = join(folder, '../modules')
  mkdirSync(beside)
  writeFileSync(join(beside, 'package.json'), '{ "private": true }')
  call('npm', ['install', '--ignore-scripts', '--no-audit', '--no-fund', '--silent', ...names], beside)
  renameSync(join(beside, 'node_modules'), join(folder, 'node_modules'))
}

function unpackDebian(name: string, inside: string, folder: string): void {
  const above = join(folder, '..')
  const user = process.getuid?.() === 0 ? ['-o', 'APT::Sandbox::User=root'] : []
  call('apt-get', ['download', '-qq', ...user, name], above)
  const file = readdirSync(above).find((each) => each.endsWith('.deb')) ?? ''
  call('dpkg-deb', ['-x', file, 'unpacked'], above)
  cpSync(join(above, 'unpacked', inside), folder, { recursive: true })
}

function call(program: string, args: readonly string[], cwd: string): string {
  const { status, stdout, stderr, error } = spawnSync(program, args, { cwd, encoding: 'utf8', timeout: TIME_LIMIT_MS })
  if (status !== 0) throw new Error(`${program} ${args.join(' ')}: ${error?.message ?? stderr}`)
  return stdout
}

function said(milliseconds: number): string {
  return `${(milliseconds / 1000).toFixed(1)} s`
}

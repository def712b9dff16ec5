// Runs on any Node from 18 on, before anything is installed: plain JavaScript, nothing imported but Node itself.
import { spawn, spawnSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { constants } from 'node:os'
import { dirname, join } from 'node:path'
import { isatty } from 'node:tty'
import { fileURLToPath } from 'node:url'

export const ROOT = dirname(dirname(fileURLToPath(import.meta.url)))

/** The Node that the lockfile pins; every script runs on it, whatever the machine has. */
export const NODE = join(ROOT, 'node_modules/.bin/node')

const say = (line) => process.stderr.write(`setup: ${line}\n`)

/** Ends the process with a sentence that says what to do. */
function giveUp(problem, fix) {
  process.stderr.write(`\nsetup: ${problem}\n${fix === undefined ? '' : `setup: To mend it: ${fix}\n`}`)
  process.exit(1)
}

/** Installs what is missing; says nothing when nothing is. `forTests`: also what only the tests need. */
export function setup({ forTests = false } = {}) {
  installModules()
  installPrograms(forTests ? [...PROGRAMS, ...TEST_PROGRAMS] : PROGRAMS)
}

/** Runs a program with this terminal and resolves to its exit code; signals reach it too. */
export function run(program, args, options = {}) {
  return new Promise((resolve, reject) => {
    const child = spawn(program, args, { stdio: 'inherit', cwd: ROOT, ...options })
    const pass = (signal) => child.kill(signal)
    // A terminal sends Ctrl-C to the child as well; a second one would mean something else. Other signals come to us alone.
    const interrupt = isatty(0) ? () => {} : pass
    process.on('SIGINT', interrupt)
    process.on('SIGTERM', pass)
    process.on('SIGHUP', pass)
    child.once('error', reject)
    child.once('close', (code, signal) => {
      process.off('SIGINT', interrupt)
      process.off('SIGTERM', pass)
      process.off('SIGHUP', pass)
      resolve(code ?? 128 + (constants.signals[signal] ?? 0))
    })
  })
}

/** Runs the command `tao` from source, in the folder npm was called from; the lines it tells to copy work there. */
export function runTao(args) {
  const cwd = process.env.INIT_CWD ?? process.cwd()
  const npm = `${cwd}/`.startsWith(`${ROOT}/`) ? 'npm' : `npm --prefix ${ROOT}`
  const env = { TAO_CALLED_AS: `${npm} run -s tao --`, ...process.env }
  return run(NODE, [join(ROOT, 'src/cli/main.ts'), ...args], { cwd, env })
}

function installModules() {
  const problem = findModulesProblem()
  if (problem === undefined) return
  say(`${problem}: npm ci (a minute or so)`)
  const { status, error } = spawnSync('npm', ['ci', '--no-fund', '--no-audit', '--loglevel=error'], {
    cwd: ROOT,
    stdio: ['ignore', 2, 2],
    shell: process.platform === 'win32',
  })
  if (error !== undefined || status !== 0) giveUp('npm ci did not finish; its own words stand above.', 'npm ci')
  const left = findModulesProblem()
  if (left !== undefined) giveUp(`after npm ci, ${left}.`, 'rm -r node_modules && npm ci --ignore-scripts=false')
}

/** Compares what the lockfile asks for with what npm says it has installed. */
function findModulesProblem() {
  const installedFile = join(ROOT, 'node_modules/.package-lock.json')
  if (!existsSync(installedFile)) return 'the packages are not installed'
  const wanted = packagesIn(join(ROOT, 'package-lock.json'))
  const installed = packagesIn(installedFile)
  for (const [path, { version, optional }] of Object.entries(wanted)) {
    if (path === '' || (optional && installed[path] === undefined)) continue
    if (installed[path]?.version !== version) return `${path} is not the version of the lockfile`
  }
  const { status } = spawnSync(NODE, ['--version'], { stdio: 'ignore' })
  return status === 0 ? undefined : 'the pinned Node does not run'
}

const packagesIn = (file) => JSON.parse(readFileSync(file, 'utf8')).packages ?? {}

/** Programs that Tao calls: the sandbox, and what the first example's tests are written in. */
const PROGRAMS = [
  { program: 'bwrap', debian: 'bubblewrap', why: 'the sandbox' },
  { program: 'python3', debian: 'python3', why: 'the first example' },
]

/** Debian keeps it beside the path, in a folder for each version. */
const TEST_PROGRAMS = [
  { program: 'postgres', debian: 'postgresql', why: 'tests of the journal', beside: '/usr/lib/postgresql' },
  { program: 'tmux', debian: 'tmux', why: 'tests of the terminal' },
  { program: 'chromium', debian: 'chromium', why: 'tests of the report' },
]

function installPrograms(programs) {
  const missing = programs.filter(({ program, beside }) => !isOnPath(program) && !liesBeside(program, beside))
  if (missing.length === 0) return
  const names = missing.map(({ program, why }) => `${program} (${why})`).join(' and ')
  const packages = missing.map(({ debian }) => debian)
  const line = `apt-get update && apt-get install -y --no-install-recommends ${packages.join(' ')}`
  if (process.platform !== 'linux') return say(`${names} not found; Tao's sandbox needs Linux`)
  if (!isOnPath('apt-get'))
    return say(`${names} not found; install with your system's package manager: ${packages.join(' ')}`)
  if (process.getuid() !== 0) return say(`${names} not found; install with: sudo sh -c '${line}'`)
  say(`${names} not found: ${line}`)
  const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
  const { status } = spawnSync('sh', ['-c', line], { stdio: ['ignore', 2, 2], env })
  if (status !== 0) say('that did not work; going on without')
}

const liesBeside = (program, folder) =>
  folder !== undefined &&
  existsSync(folder) &&
  readdirSync(folder).some((version) => existsSync(join(folder, version, 'bin', program)))

const isOnPath = (program) =>
  (process.env.PATH ?? '').split(':').some((folder) => folder !== '' && existsSync(join(folder, program)))

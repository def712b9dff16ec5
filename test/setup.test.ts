import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterEach, beforeEach, test } from 'node:test'

const ROOT = join(import.meta.dirname, '..')

let folder = ''
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'tao-setup-'))
})
afterEach(() => rmSync(folder, { recursive: true }))

/** A clone with a command `tao` that only repeats its words, and a path with nothing on it but what is named here. */
function clone({ programs }: { readonly programs: readonly string[] }): string {
  for (const path of ['scripts', 'package.json', 'package-lock.json'])
    cpSync(join(ROOT, path), join(folder, path), { recursive: true })
  symlinkSync(join(ROOT, 'node_modules'), join(folder, 'node_modules'))
  mkdirSync(join(folder, 'src/cli'), { recursive: true })
  writeFileSync(
    join(folder, 'src/cli/main.ts'),
    'console.log(process.cwd(), ...process.argv.slice(2))\nprocess.exitCode = 7\n',
  )
  mkdirSync(join(folder, 'bin'))
  symlinkSync('/bin/sh', join(folder, 'bin/sh'))
  for (const program of programs) {
    writeFileSync(join(folder, 'bin', program), `#!/bin/sh\necho "${program} $*" >> ${folder}/called\n`)
    chmodSync(join(folder, 'bin', program), 0o755)
  }
  return folder
}

function run(script: string, args: readonly string[], cwd = folder) {
  const env = { PATH: join(folder, 'bin'), INIT_CWD: cwd }
  return spawnSync(process.execPath, [join(folder, 'scripts', script), ...args], { env, encoding: 'utf8' })
}

const called = (): string => readFileSync(join(folder, 'called'), 'utf8')

test('with everything there, nothing is installed and nothing is said', () => {
  clone({ programs: ['bwrap', 'python3', 'npm', 'apt-get'] })
  const { stdout, stderr, status } = run('tao.mjs', ['show', 'a b'])
  assert.deepEqual([stdout, stderr, status], [`${folder} show a b\n`, '', 7])
  assert.throws(called)
})

test('start runs the first example, or a task in the folder that npm was called from', () => {
  clone({ programs: ['bwrap', 'python3'] })
  const elsewhere = join(folder, 'scripts')
  const example = join(folder, 'examples/01-fix-failing-test/fix.task.yaml')
  assert.equal(run('start.mjs', []).stdout, `${folder} run ${example}\n`)
  assert.equal(run('start.mjs', ['do it', '--quiet'], elsewhere).stdout, `${elsewhere} run do it --quiet\n`)
})

test('missing programs are installed where that is allowed, else the line that does it is told', () => {
  clone({ programs: ['npm', 'apt-get'] })
  const { stderr, status } = run('tao.mjs', [])
  const line = 'apt-get update && apt-get install -y --no-install-recommends bubblewrap python3'
  assert.ok(stderr.includes(line), stderr)
  assert.equal(status, 7)
  if (process.getuid?.() === 0) assert.deepEqual(called().split('\n').slice(0, 2), line.split(' && '))
  else assert.ok(stderr.includes(`sudo sh -c '${line}'`), stderr)
})

test('packages that differ from the lockfile are installed; when that fails, the run stops and says so', () => {
  clone({ programs: ['bwrap', 'python3', 'npm'] })
  const lockfile = readFileSync(join(folder, 'package-lock.json'), 'utf8')
  writeFileSync(
    join(folder, 'package-lock.json'),
    lockfile.replace(/("node_modules\/zod": \{\s*"version": )"[^"]+"/, '$1"0.0.1"'),
  )
  const { stdout, stderr, status } = run('tao.mjs', [])
  assert.match(called(), /^npm ci /)
  assert.match(stderr, /^setup: node_modules\/zod is not the version of the lockfile: npm ci/)
  assert.match(
    stderr,
    /setup: after npm ci, node_modules\/zod is not the version of the lockfile\.\nsetup: To mend it: /,
  )
  assert.deepEqual([stdout, status], ['', 1])
})

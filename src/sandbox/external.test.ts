import assert from 'node:assert/strict'
import { chmodSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAllowList } from './allow-list.ts'
import { external } from './external.ts'
import { ENVIRONMENT } from './profile.ts'
import { never, sandboxContract, tempFolder, writeCopy } from './sandbox.contract.ts'
import { SandboxError } from './sandbox.ts'

sandboxContract('external', external)

const bash = (script: string, more: object = {}) => external().run({ argv: ['bash', '-c', script], ...more }, never())

test('the working copy is where it is, and programs that tools bring are found by the path they ask for', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), { 'a.txt': 'a' })
  const view = { copy, protect: [] }
  assert.equal((await bash('pwd; cat a.txt; echo b >b.txt', { view })).stdout.text, `${copy}\na`)
  assert.deepEqual(readdirSync(copy).sort(), ['a.txt', 'b.txt'])
  const command = { argv: ['/opt/node/bin/node', '-p', 'process.cwd()'], view }
  assert.equal((await external().run(command, never())).stdout.text, `${copy}\n`)
  const readOnly = { '/opt/tool': join(copy, 'a.txt') }
  assert.equal((await external().run({ argv: ['cat', '/opt/tool'], readOnly }, never())).stdout.text, 'a')
})

test('the environment is a list of its own, and what Tao has in its own is not in it', async () => {
  process.env.TAO_EXTERNAL_TEST = 'planted-key'
  const { stdout } = await bash('env; node -p 1')
  assert.doesNotMatch(stdout.text, /planted-key|TAO_EXTERNAL_TEST/)
  const names = stdout.text.split('\n').flatMap((line) => /^([A-Za-z_]+)=/.exec(line)?.[1] ?? [])
  const ofTheShell = ['SHLVL', '_']
  const wanted = [...Object.keys(ENVIRONMENT), 'PWD', 'TAO_COMMAND', ...ofTheShell]
  assert.deepEqual(names.sort(), [...new Set(wanted)].sort())
  assert.match(stdout.text, /\n1\n$/)
})

test('home and temporary files of one command are gone when it is over', async () => {
  const { stdout } = await bash('echo x >~/x; echo y >"$TMPDIR/y"; ls -A ~ "$TMPDIR"; echo "$HOME"')
  assert.match(stdout.text, /x[\s\S]*y/)
  const home = stdout.text.trim().split('\n').at(-1) ?? ''
  assert.equal((await bash(`ls -d ${home} ~/x`)).stdout.text, '')
})

test('whatever is done to protected files is noticed, and is never the result of a command', async () => {
  const attacks = [
    'echo bad >tests/t.py',
    'mv tests old; mkdir tests',
    'rm -rf tests',
    'chmod 777 tests/t.py',
    'ln tests/t.py x',
  ]
  const others = ['mv tests/t.py tests/u.py', 'cp -r tests new; mv tests old; mv new tests', 'touch tests/new']
  for (const attack of [...attacks, ...others]) {
    await using folder = tempFolder()
    const copy = writeCopy(join(folder.path, 'copy'), { 'tests/t.py': 'good', 'code.py': 'x' })
    const view = { copy, protect: ['tests'] }
    const sandbox = external()
    const run = (script: string) => sandbox.run({ argv: ['bash', '-c', script], view }, never())
    const result = await run(attack).catch((error: unknown) => error)
    // Plain writing may be prevented; what was not prevented is an error of the sandbox.
    if (!(result instanceof SandboxError))
      assert.equal((await run('ls tests; cat tests/t.py')).stdout.text, 't.py\ngood', attack)
    else assert.match(result.message, /protected/)
  }
})

test('what is protected can be read, also what only its owner can, and all else can be changed', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), { 'tests/t.py': 'good', 'own.key': 'own', 'code.py': 'x' })
  chmodSync(join(copy, 'own.key'), 0o600)
  const view = { copy, protect: ['tests', 'own.key'] }
  const { stdout, exit } = await bash('cat tests/t.py own.key; echo y >code.py; touch other; mkdir more', { view })
  assert.deepEqual([stdout.text, exit], ['goodown', 0])
})

test('a list of hosts cannot be held, so it is refused', async () => {
  await assert.rejects(bash('true', { network: readAllowList(['example.org']) }), SandboxError)
})

test('no descriptor of one command stays open', async () => {
  const open = () => readdirSync('/proc/self/fd').length
  await bash('echo a >&2', { stdin: 'x' })
  const before = open()
  for (let i = 0; i < 3; i++) await bash('echo a >&2', { stdin: 'x' })
  assert.ok(open() <= before, `${open()} after ${before}`)
})

test('memory and disk of all processes together end a command and name the limit', async () => {
  const hog = `python3 -c 'import time; x = bytearray(300 << 20); time.sleep(60)'`
  assert.equal((await bash(`PATH=/usr/bin; ${hog}`, { limits: { totalMemory: 100 << 20 } })).limit, 'totalMemory')
  const filler = 'for i in 1 2 3 4 5 6 7 8; do head -c 20M /dev/zero >$i; sleep 0.05; done; sleep 60'
  assert.equal((await bash(filler, { limits: { disk: 60 << 20 } })).limit, 'disk')
})

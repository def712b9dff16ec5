import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { chmodSync, chownSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { sandboxUser } from './user.ts'
import { copiedTree, statesBelow } from './workspace.contract.ts'

const IMPORTS = `
import { readFileSync, readdirSync } from 'node:fs'
const [, record, ...more] = process.argv
const { openWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, 'working-copy.ts'))})
const { applyChanges } = await import(${JSON.stringify(join(import.meta.dirname, 'apply.ts'))})
const workspace = await openWorkspace(JSON.parse(record))
`
const runsProgram = (program: string): string[] => [
  process.execPath,
  '--input-type=module',
  '--eval',
  IMPORTS + program,
]

test('a tree whose root cannot be written to is a clear error, and stays as it is', async () => {
  await using b = await copiedTree({ 'a.txt': 'a', 'sub/b.txt': 'b' })
  writeFileSync(b.copy('a.txt'), 'A')
  chmodSync(b.source, 0o555)
  const { uid, gid, dropped } = sandboxUser()
  // Root may write everywhere: it steps down first, and the record lies where that user may write.
  if (dropped) chownSync(join(b.path, 'place'), uid, gid)
  const program = `
if (more[0] === 'true') process.seteuid(Number(more[1]))
await applyChanges(workspace).catch(({ code, message, fix }) => console.log(JSON.stringify({ code, message, fix })))`
  const [node = '', ...argv] = runsProgram(program)
  const { stdout, stderr } = spawnSync(node, [...argv, JSON.stringify(b.workspace.record), `${dropped}`, `${uid}`], {
    encoding: 'utf8',
  })
  const said = JSON.parse(stdout || JSON.stringify({ message: stderr })) as { message: string; fix?: string }
  assert.ok(said.message.startsWith(`Nothing was applied: ${b.source} cannot be written to: EACCES`), said.message)
  assert.match(said.fix ?? '', /ls -ld/)
  assert.deepEqual(statesBelow(b.source), { 'a.txt': '644 a', sub: 'folder', 'sub/b.txt': '644 b' })
  assert.equal(statesBelow(join(b.path, 'place'))['apply.json'], undefined)
})

test('new content waits on the file system that it is going to, also where another one is mounted in the tree', async () => {
  await using b = await copiedTree({ 'a.txt': 'a', 'volume/sub/b.txt': 'b' })
  writeFileSync(b.copy('a.txt'), 'A')
  writeFileSync(b.copy('volume/sub/b.txt'), 'B')
  const volume = join(b.source, 'volume')
  const program = `
const stages = []
await applyChanges(workspace, { onStep: (step) => step.startsWith('make the folder') && stages.push(step) })
const root = workspace.record.source
console.log(JSON.stringify({
  stages: stages.length, names: [...readdirSync(root), ...readdirSync(root + '/volume')].sort(),
  texts: [readFileSync(root + '/a.txt', 'utf8'), readFileSync(root + '/volume/sub/b.txt', 'utf8')],
}))`
  const mount = 'mount -t tmpfs tmpfs "$1" && mkdir "$1/sub" && printf b >"$1/sub/b.txt" && shift && exec "$@"'
  const namespaces = process.geteuid?.() === 0 ? '-m' : '-rm'
  const argv = ['bash', '-c', mount, 'bash', volume, ...runsProgram(program), JSON.stringify(b.workspace.record)]
  const { stdout, stderr } = spawnSync('/usr/bin/unshare', [namespaces, ...argv], { encoding: 'utf8' })
  assert.equal(stderr, '')
  assert.deepEqual(JSON.parse(stdout), { stages: 2, names: ['a.txt', 'sub', 'volume'], texts: ['A', 'B'] })
})

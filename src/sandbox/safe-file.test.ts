import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { readFileSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { closing, hashInside, lookInside, openInside } from './safe-file.ts'
import { tempFolder, writeTree } from './sandbox.contract.ts'

test('only a regular file that lies where it was asked for is opened', async () => {
  await using folder = tempFolder()
  const root = join(realpathSync(folder.path), 'root')
  writeTree(folder.path, { 'root/sub/a.txt': 'a', 'outside/a.txt': 'secret' })
  symlinkSync('../outside', join(root, 'swapped'))
  symlinkSync('../outside/a.txt', join(root, 'link'))
  symlinkSync('/dev/zero', join(root, 'endless'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  assert.equal(
    closing(openInside(root, 'sub/a.txt'), (descriptor) => readFileSync(descriptor, 'utf8')),
    'a',
  )
  for (const path of ['swapped/a.txt', 'link', 'endless', 'pipe', 'sub', 'none', '../outside/a.txt'])
    assert.throws(() => openInside(root, path), TaoError, path)
})

test('what stands at a path is told without following links, and nothing is said of what a link leads to', async () => {
  await using folder = tempFolder()
  const root = join(realpathSync(folder.path), 'root')
  writeTree(folder.path, { 'root/sub/a.txt': 'a', 'outside/sub/a.txt': 'secret' })
  symlinkSync('../outside', join(root, 'link'))
  assert.equal(lookInside(root, 'sub/a.txt')?.size, 1)
  assert.equal(lookInside(root, 'link')?.isSymbolicLink(), true)
  for (const path of ['none', 'none/none', 'sub/a.txt/x', 'sub/a.txt/x/y'])
    assert.equal(lookInside(root, path), undefined)
  for (const path of ['link/sub', 'link/none', 'link/sub/a.txt']) assert.throws(() => lookInside(root, path), TaoError)
})

test('a hash is that of the whole content, short or long', async () => {
  await using folder = tempFolder()
  const root = realpathSync(folder.path)
  for (const size of [0, 1, (1 << 18) - 1, 1 << 18, 1_000_003]) {
    const content = Buffer.alloc(size, 'tao ')
    writeFileSync(join(root, 'f'), content)
    let seen = 0
    const expected = createHash('sha256').update(content).digest('hex')
    assert.equal(await hashInside(root, 'f'), expected)
    assert.equal(await hashInside(root, 'f', (bytes) => (seen += bytes.length)), expected)
    assert.equal(seen, size)
  }
})

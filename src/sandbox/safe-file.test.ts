import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { realpathSync, symlinkSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { hashInside, openInside, readInside } from './safe-file.ts'
import { tempFolder, writeTree } from './sandbox.contract.ts'

test('only a regular file that lies where it was asked for is opened', async () => {
  await using folder = tempFolder()
  const root = join(realpathSync(folder.path), 'root')
  writeTree(folder.path, { 'root/sub/a.txt': 'a', 'outside/a.txt': 'secret' })
  symlinkSync('../outside', join(root, 'swapped'))
  symlinkSync('../outside/a.txt', join(root, 'link'))
  symlinkSync('/dev/zero', join(root, 'endless'))
  execFileSync('mkfifo', [join(root, 'pipe')])
  assert.equal(readInside(root, 'sub/a.txt').toString(), 'a')
  for (const path of ['swapped/a.txt', 'link', 'endless', 'pipe', 'sub', 'none', '../outside/a.txt'])
    assert.throws(() => openInside(root, path), TaoError, path)
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

import assert from 'node:assert/strict'
import { appendFileSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openCheckpointFile } from './checkpoint-file.ts'

function newFile() {
  const folder = mkdtempSync(join(tmpdir(), 'tao-checkpoints-'))
  return { path: join(folder, 'checkpoints'), [Symbol.dispose]: () => rmSync(folder, { recursive: true }) }
}

const at = (count: number) => ({ run: 'a', count, head: `head ${count}` })

/** What a crash, a person or another program may leave at the end of the file. */
const ENDS: Readonly<Record<string, string>> = {
  'half a line': '{"run":"a","cou',
  'half a line and a blank one': '{"run":"a","cou\n\n',
  'a run of zeros': '\0'.repeat(300),
  'JSON of another shape': '{"run":"a","count":"many"}\nnull\n["a"]\n',
}

// https://github.com/PrimeIntellect-ai/nano-rlm/pull/97
// https://github.com/openonion/connectonion/issues/555
for (const [what, end] of Object.entries(ENDS))
  test(`${what} at its end is passed over, is not added to, and stops nobody from starting`, () => {
    using file = newFile()
    const first = openCheckpointFile(file.path)
    first.add(at(1))
    first.close()
    appendFileSync(file.path, end)
    const second = openCheckpointFile(file.path)
    assert.deepEqual(second.of('a'), [at(1)])
    second.add(at(2))
    second.close()
    assert.deepEqual(openCheckpointFile(file.path).of('a'), [at(1), at(2)])
    assert.ok(readFileSync(file.path, 'utf8').includes(end), 'what was there is left as it is')
  })

test('a file that is not there yet holds no checkpoint and is made with the first one', () => {
  using file = newFile()
  const log = openCheckpointFile(file.path)
  assert.deepEqual(log.of('a'), [])
  log.add(at(1))
  log.addRemoval('a')
  log.add(at(3))
  assert.deepEqual(log.of('a'), [at(3)])
  log.close()
})

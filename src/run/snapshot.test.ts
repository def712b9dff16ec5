import assert from 'node:assert/strict'
import { chmodSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { test } from 'node:test'
import { calling, plainTool, runScript, saying } from '../../test/support/bench.ts'
import { memoryStore } from '../journal/memory-store.ts'
import { copiedTree } from '../sandbox/workspace.contract.ts'
import { snapshotAfter } from './snapshot.ts'
import type { OpenCall } from './state.ts'

const sha256 = async (text: string): Promise<string> => memoryStore().put(text)

test('each call that changes files is followed by what changed since the one before, and by nothing else', async () => {
  await using tree = await copiedTree({ 'a.txt': 'one\n', 'b.txt': 'b\n', 'run.sh': 'true\n' })
  const moves = [
    () => writeFileSync(tree.copy('a.txt'), 'two\n'),
    () => {
      rmSync(tree.copy('b.txt'))
      symlinkSync('a.txt', tree.copy('link'))
      chmodSync(tree.copy('run.sh'), 0o755)
    },
    () => {},
    () => writeFileSync(tree.copy('a.txt'), 'one\n'),
  ]
  let next = 0
  const store = memoryStore()
  const trace = await runScript({
    workspace: tree.workspace,
    store,
    tools: [
      plainTool('change', 'write', () => {
        moves[next++]?.()
        return 'ok'
      }),
      plainTool('look', 'read', () => 'seen'),
    ],
    script: [...moves.map((_, n) => calling('change', { n })), calling('look'), saying('Done.')],
  })
  const [two, run] = [await sha256('two\n'), await sha256('true\n')]
  assert.deepEqual(
    trace.all('files.changed').map(({ files }) => files),
    [
      [{ path: 'a.txt', mode: 0o644, sha256: two }],
      [
        { path: 'b.txt', gone: true },
        { path: 'link', link: 'a.txt' },
        { path: 'run.sh', mode: 0o755, sha256: run },
      ],
      [{ path: 'a.txt', atStart: true }],
    ],
  )
  assert.equal(await store.get(two), 'two\n')
  const at = trace.events.findIndex(({ kind }) => kind === 'files.changed')
  assert.equal(trace.events[at + 1]?.kind, 'call.finished', 'no crash parts a result from what it did')
  assert.deepEqual([...trace.run.state.files.keys()], ['b.txt', 'link', 'run.sh'])
})

test('content that cannot or must not be kept is said to be lost', async () => {
  await using tree = await copiedTree({})
  const store = memoryStore()
  const trace = await runScript({ script: [saying('Done.')], workspace: tree.workspace, store })
  writeFileSync(tree.copy('key.txt'), 'the key is 12345678\n')
  writeFileSync(tree.copy('large.bin'), Buffer.alloc((8 << 20) + 1))
  writeFileSync(tree.copy('small.bin'), Buffer.from([0, 255]))
  const masker = {
    mask: <T>(value: T): T => String(value).replace('12345678', '[secret:K]') as T,
    openStream: () => assert.fail(),
  }
  const open: OpenCall = {
    call: { id: 'c', name: 'change', arguments: '{}' },
    stage: 'started',
    effects: ['write'],
    observation: '',
  }
  const [event] = await snapshotAfter({ ...trace.run, parts: { ...trace.run.parts, masker } }, open)
  const [key, large, small] = event?.files ?? []
  assert.ok(key !== undefined && 'lost' in key && large !== undefined && 'lost' in large)
  assert.deepEqual([key.lost, large.lost], ['a secret stands in it', 'it is too much to be kept'])
  assert.equal(await store.get(key.sha256), undefined)
  assert.ok(small !== undefined && 'base64' in small)
  assert.equal(await store.get(small.base64 ?? ''), Buffer.from([0, 255]).toString('base64'))
})

test('a working copy that cannot be read is said, and does not keep the run from going on', async () => {
  await using tree = await copiedTree({ 'a.txt': 'one\n' })
  const broken = { ...tree.workspace, differences: () => Promise.reject(new Error('too deep')) }
  const trace = await runScript({
    workspace: broken,
    tools: [plainTool('change', 'write', () => 'ok')],
    script: [calling('change'), saying('Done.')],
  })
  assert.deepEqual(
    trace.all('files.changed').map(({ problem }) => problem),
    ['too deep'],
  )
  assert.equal(trace.outcome.status, 'answered')
})

import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, readdirSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import { applyChanges, finishApply } from './apply.ts'
import { writeTree } from './sandbox.contract.ts'
import { openWorkspace } from './working-copy.ts'
import { copiedTree, refuses, statesBelow } from './workspace.contract.ts'

const FILES = { 'a.txt': 'a', 'gone/x.txt': 'x', 'to-file/y': 'y', 'to-folder': 'z', mine: 'm' }

/** A tree whose run changed, added and removed files, and exchanged files for folders. */
async function changedTree() {
  const b = await copiedTree(FILES)
  for (const path of ['gone', 'to-file', 'to-folder']) rmSync(b.copy(path), { recursive: true })
  const changed = { 'a.txt': 'A', 'new/n.txt': 'n', 'to-file': 'file', 'to-folder/z': 'z' }
  writeTree(b.workspace.view.copy, changed)
  symlinkSync('a.txt', b.copy('link'))
  const old = statesBelow(b.source)
  return { ...b, old, new_: statesBelow(b.workspace.view.copy), record: b.workspace.record }
}

const PROGRAM = `
const [, record, call, at] = process.argv
const { openWorkspace } = await import(${JSON.stringify(join(import.meta.dirname, 'working-copy.ts'))})
const calls = await import(${JSON.stringify(join(import.meta.dirname, 'apply.ts'))})
let step = 0
const onStep = (name) => { if (name === at || step++ === Number(at)) process.kill(process.pid, 'SIGKILL') }
await calls[call](await openWorkspace(JSON.parse(record)), { onStep })
`

/** Applies in a process of its own, killed before the file-system step with that number or name. True: it came to its end. */
async function applyUntil(record: WorkspaceRecord, at: number | string, call = 'applyChanges'): Promise<boolean> {
  const argv = ['--input-type=module', '--eval', PROGRAM, JSON.stringify(record), call, `${at}`]
  const child = spawn(process.execPath, argv, {
    stdio: ['ignore', 'ignore', 'inherit'],
    env: { NODE_COMPILE_CACHE: join(tmpdir(), 'tao-tests-compiled') },
  })
  const [code, signal] = await once(child, 'exit')
  assert.ok(code === 0 || signal === 'SIGKILL', `ended with ${code}`)
  return code === 0
}

/** Without the folders that new content waits in. */
const withoutStages = (states: Record<string, string>) =>
  Object.fromEntries(Object.entries(states).filter(([path]) => !path.includes('.tao-apply-')))

const recordOf = (record: WorkspaceRecord): string => join(record.copy, '../apply.json')

/** `at` from 0 until the work came to its end, two at a time. Gives how many steps there were. */
async function atEachStep(check: (at: number) => Promise<boolean>): Promise<number> {
  for (let at = 0; ; at += 2) {
    const ended = await Promise.all([check(at), check(at + 1)])
    if (ended[1]) return ended[0] ? at : at + 1
  }
}

describe('an apply that is killed', () => {
  test('before each of its steps leaves the old tree, or one that the next call makes the new one', async () => {
    const seen = { old: 0, finished: 0 }
    const steps = await atEachStep(async (at) => {
      await using b = await changedTree()
      if (await applyUntil(b.record, at)) return true
      const workspace = await openWorkspace(b.record)
      const left = withoutStages(statesBelow(b.source))
      const done = await finishApply(workspace)
      if (done === 'finished') assert.deepEqual(statesBelow(b.source), b.new_, `step ${at}: finished`)
      else assert.deepEqual([left, statesBelow(b.source)], [b.old, b.old], `step ${at}: undone`)
      seen[done === 'finished' ? 'finished' : 'old']++
      assert.equal(existsSync(recordOf(b.record)), false)
      await applyChanges(workspace)
      assert.deepEqual(statesBelow(b.source), b.new_, `step ${at}: applied again`)
      return false
    })
    assert.ok(steps > 20, `${steps} steps`)
    assert.ok(seen.old > 8 && seen.finished > 8, JSON.stringify(seen))
  })

  test('and killed again before each step of the next call, is finished by the one after it', async () => {
    await atEachStep(async (at) => {
      await using b = await changedTree()
      await applyUntil(b.record, 'put to-file in place')
      if (await applyUntil(b.record, at, 'finishApply')) return true
      await applyChanges(await openWorkspace(b.record))
      assert.deepEqual(statesBelow(b.source), b.new_, `step ${at}`)
      return false
    })
  })

  test('is not finished over a file that somebody changed since: it is named, and how far the apply came', async () => {
    await using b = await changedTree()
    await applyUntil(b.record, 'put a.txt in place')
    writeFileSync(join(b.source, 'a.txt'), 'mine')
    const before = withoutStages(statesBelow(b.source))
    const workspace = await openWorkspace(b.record)
    const message = /cut off with 3 of 8 changes written, and these were changed since: a\.txt$/
    await refuses(applyChanges(workspace), message, /Put them back/)
    await refuses(finishApply(workspace), message)
    assert.deepEqual(withoutStages(statesBelow(b.source)), before)
    writeFileSync(join(b.source, 'a.txt'), 'a')
    assert.equal(await finishApply(workspace), 'finished')
    assert.deepEqual(statesBelow(b.source), b.new_)
  })

  test('is finished even when what waited to be moved was thrown away', async () => {
    await using b = await changedTree()
    await applyUntil(b.record, 'put to-file in place')
    for (const name of readdirSync(b.source))
      if (name.startsWith('.tao-apply-')) rmSync(join(b.source, name), { recursive: true })
    await applyChanges(await openWorkspace(b.record))
    assert.deepEqual(statesBelow(b.source), b.new_)
  })
})

test('an apply that goes on is left alone by a second one', async () => {
  await using b = await changedTree()
  let tried: Promise<void> | undefined
  const workspace = await openWorkspace(b.record)
  const again = await openWorkspace(b.record)
  const onStep = (step: string) => {
    if (step.startsWith('write the new content of a.txt'))
      tried = refuses(applyChanges(again), /is being applied at the moment/, /Wait/)
  }
  await applyChanges(workspace, { onStep })
  assert.ok(tried)
  await tried
  assert.deepEqual(statesBelow(b.source), b.new_)
})

test('a step that fails while nothing stands yet is undone; later it can be finished', async () => {
  await using b = await changedTree()
  const workspace = await openWorkspace(b.record)
  const failAt = (wanted: string) => (step: string) => {
    if (step === wanted) throw new Error('no space left')
  }
  await refuses(
    applyChanges(workspace, { onStep: failAt('write the new content of new/n.txt') }),
    /^Nothing was applied/,
  )
  assert.deepEqual(statesBelow(b.source), b.old)
  await refuses(applyChanges(workspace, { onStep: failAt('put new/n.txt in place') }), /not be written whole \(\d of 8/)
  assert.match(readFileSync(recordOf(b.record), 'utf8'), /"ready"/)
  await applyChanges(workspace)
  assert.deepEqual(statesBelow(b.source), b.new_)
})

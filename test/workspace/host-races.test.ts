import assert from 'node:assert/strict'
import { hash } from 'node:crypto'
import { chmodSync, cpSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { TaoError } from '../../src/core/error.ts'
import { file } from '../../src/judge/file.ts'
import { applyChanges } from '../../src/sandbox/apply.ts'
import { unifiedDiff } from '../../src/sandbox/diff.ts'
import { removeTree } from '../../src/sandbox/remove-tree.ts'
import { writeTree } from '../../src/sandbox/sandbox.contract.ts'
import { makeWorkspace, openWorkspace } from '../../src/sandbox/working-copy.ts'
import type { Workspace } from '../../src/sandbox/workspace.ts'
import { asWorkingCopy } from '../../src/sandbox/workspace-of.ts'
import { deliveryOf } from '../support/given-tree.ts'
import { SECRET, type Swapper, swapOnHost, writeOutside } from './swapper.ts'

const FILES = { 'p/q/x.txt': 'x\n', 'p/x.txt': 'x\n', 'f.txt': 'f\n', 'other.txt': 'o\n' }
const CHANGED = { 'p/q/x.txt': 'X\n', 'p/x.txt': 'X\n', 'p/q/new.txt': 'n\n', 'f.txt': 'F\n' }

/** A working copy that the run has changed, and a secret outside of it. */
async function racedTree() {
  const path = mkdtempSync(join(tmpdir(), 'tao-race-'))
  chmodSync(path, 0o755)
  const source = join(path, 'source')
  writeTree(source, FILES)
  const workspace = await makeWorkspace({ source, place: join(path, 'place'), protect: [] })
  writeTree(workspace.view.copy, CHANGED)
  const outside = writeOutside(path)
  return { path, source, workspace, outside, [Symbol.asyncDispose]: () => removeTree(path) }
}

/** Does something again and again while links are swapped. What is refused for a swap is no answer. */
async function whileSwapped<T>(
  swapper: Swapper,
  act: () => Promise<T> | T,
): Promise<{ answers: T[]; refused: number }> {
  const answers: T[] = []
  let refused = 0
  while (swapper.isRunning()) {
    try {
      answers.push(await act())
    } catch (error) {
      assert.ok(error instanceof TaoError || 'code' in (error as object), String(error))
      assert.ok(!String(error).includes(SECRET), String(error))
      refused++
    }
    await nextTurn() // Whoever never waits would not see that the other process ended.
  }
  await swapper.ended
  return { answers, refused }
}

/** Everything that a tree says: names, contents, and where links lead. */
const wholeText = (root: string): string =>
  readdirSync(root, { recursive: true, withFileTypes: true, encoding: 'utf8' })
    .map((entry) => {
      const path = join(entry.parentPath, entry.name)
      if (entry.isSymbolicLink()) return `${path} -> ${readlinkSync(path)}`
      return entry.isFile() ? `${path}: ${readFileSync(path, 'utf8')}` : path
    })
    .join('\n')

test('a plain reader meets the secret: the swaps do what they are for', async () => {
  await using b = await racedTree()
  const swapper = swapOnHost(b.workspace.view.copy, b.outside, 4_000)
  const read = (path: string) => readFileSync(join(b.workspace.view.copy, path), 'utf8')
  const { answers } = await whileSwapped(swapper, () => {
    return [read('p/q/x.txt'), read('f.txt')].join()
  })
  assert.ok(answers.some((text) => text.includes(SECRET)))
})

const READERS: Readonly<Record<string, (workspace: Workspace) => Promise<string>>> = {
  'the diff': unifiedDiff,
  'the changes': async (workspace) => JSON.stringify(await workspace.changes()),
  'what is hashed': async (workspace) => JSON.stringify([...(await asWorkingCopy(workspace).delivery()).states]),
  'what is left out': async (workspace) =>
    JSON.stringify((await workspace.leftOut()).map(({ path, why }) => `${path} ${why}`)),
  'the clean copy': async (workspace) => {
    await using copy = await workspace.cleanCopy()
    return wholeText(copy.view.copy)
  },
  'the judge’s file': async (workspace) => {
    const delivery = deliveryOf({ workspace })
    for (const path of ['p/q/x.txt', 'f.txt']) {
      const { holds } = await file({ path, matches: SECRET }).check(delivery)
      assert.equal(holds, false)
      const other = await file({ path: `p/q/${SECRET}.txt` }).check(delivery)
      assert.equal(other.holds, false)
    }
    return ''
  },
}

const names = Object.keys(READERS).join(', ')

test(`${names}: nothing of what links that are swapped meanwhile lead to`, async () => {
  await using b = await racedTree()
  const rounds = await whileSwapped(swapOnHost(b.workspace.view.copy, b.outside), async () => {
    const seen: string[] = []
    for (const [name, read] of Object.entries(READERS)) {
      try {
        // Opened anew each time: nothing is remembered, everything is read.
        seen.push(`${name}: ${await read(await openWorkspace(b.workspace.record))}`)
      } catch (error) {
        if (!(error instanceof TaoError)) throw error
        assert.ok(!error.message.includes(SECRET), error.message)
      }
    }
    return seen
  })
  const answers = rounds.answers.flat()
  for (const name of Object.keys(READERS))
    assert.ok(
      answers.some((answer) => answer.startsWith(name)),
      name,
    )
  for (const answer of answers) {
    assert.ok(!answer.includes(SECRET), answer)
    assert.ok(!answer.includes(hash('sha256', `${SECRET}\n`)), answer)
  }
})

test('what is applied: nothing of what links that are swapped meanwhile lead to', async () => {
  await using b = await racedTree()
  const pristine = join(b.path, 'pristine')
  cpSync(b.source, pristine, { recursive: true })
  const { answers, refused } = await whileSwapped(swapOnHost(b.workspace.view.copy, b.outside), async () => {
    try {
      return await applyChanges(await openWorkspace(b.workspace.record))
    } finally {
      assert.ok(!wholeText(b.source).includes(SECRET))
      rmSync(b.source, { recursive: true })
      cpSync(pristine, b.source, { recursive: true })
    }
  })
  assert.ok(answers.length + refused > 10, `${answers.length} applied, ${refused} refused`)
  await applyChanges(await openWorkspace(b.workspace.record))
  assert.equal(readFileSync(join(b.source, 'p/q/x.txt'), 'utf8'), 'X\n')
  assert.equal(wholeText(b.outside).split(SECRET).length, 7)
})

import assert from 'node:assert/strict'
import { readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao, type TaoCommand } from '../support/tao-command.ts'

const EDIT = calling('edit', { path: 'a.txt', old_text: 'one', new_text: 'two' })
const REPLIES = [calling('read_file', { path: 'a.txt' }), EDIT, saying('Changed.')]

async function changed(tao: TaoCommand, ...flags: readonly string[]): Promise<void> {
  const model = await tao.script(REPLIES)
  const { code, stderr } = await tao.run(['run', 'Change it.', '--workspace', 'project', ...model, ...flags])
  assert.equal(code, 0, stderr)
}

const content = (tao: TaoCommand): Promise<string> => readFile(join(tao.project, 'a.txt'), 'utf8')

describe('tao apply', { concurrency: 2 }, () => {
  // https://github.com/tenstorrent/tt-inference-server/pull/5088
  test('refuses what nothing proves, and says how to apply it all the same', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    await changed(tao)
    const refused = await tao.run(['apply', 'latest'])
    assert.deepEqual([refused.code, await content(tao)], [1, 'one\n'])
    assert.match(refused.stderr, /^tao: Not applied: the run ended as "answered"\..*\n.*tao apply \S+ --unproved\n$/)
    const applied = await tao.run(['apply', 'latest', '--unproved', '--json'])
    assert.equal(applied.code, 0, applied.stderr)
    assert.deepEqual((JSON.parse(applied.stdout) as { changes: unknown }).changes, [{ path: 'a.txt', kind: 'changed' }])
    assert.equal(await content(tao), 'two\n')
  })

  test('refuses when the folder was changed meanwhile, and names what', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    await changed(tao, '--done', 'grep -q two a.txt')
    await writeFile(join(tao.project, 'a.txt'), 'mine\n')
    const refused = await tao.run(['apply', 'latest'])
    assert.deepEqual([refused.code, await content(tao)], [1, 'mine\n'])
    assert.match(refused.stderr, /^tao: These were changed in the tree since the run started: a\.txt\n/)
  })

  test('by --apply: a run whose changes the folder does not take is shown all the same, with exit 1', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const target = JSON.stringify(join(tao.project, 'a.txt'))
    const script = await tao.write(
      'script.ts',
      `import { writeFileSync } from 'node:fs'
      export default (_: unknown, n: number) => {
        if (n === 1) writeFileSync(${target}, 'mine\\n')
        return ${JSON.stringify(REPLIES)}[n]
      }`,
    )
    const flags = ['--workspace', 'project', '--done', 'grep -q two a.txt', '--model', `scripted/${script}`, '--apply']
    const { code, stdout, stderr } = await tao.run(['run', 'Change it.', ...flags])
    assert.equal(await content(tao), 'mine\n')
    assert.match(stdout, /^success: [\s\S]*\napply it: /)
    assert.match(stderr, /\ntao: These were changed in the tree since the run started: a\.txt\n/)
    assert.equal(code, 1)
  })

  test('refuses a working copy that is not what was checked any more', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    await changed(tao, '--done', 'grep -q two a.txt')
    const [started] = (await tao.journal())[0] ?? []
    assert.ok(started?.kind === 'run.started' && started.workspace !== undefined)
    await writeFile(join(started.workspace.copy, 'a.txt'), 'two and more\n')
    const refused = await tao.run(['apply', 'latest'])
    assert.deepEqual([refused.code, await content(tao)], [1, 'one\n'])
    assert.match(refused.stderr, /the working copy is not what was checked any more/)
  })

  test('a run without a workspace has nothing to show or to apply', async () => {
    await using tao = await openTao()
    await tao.run(['run', 'What is 2 + 2?', ...(await tao.script([saying('4')]))])
    const diff = await tao.run(['diff'])
    assert.deepEqual([diff.code, diff.stdout], [2, ''])
    assert.match(diff.stderr, /^tao: Run \S+ had no workspace, so it changed nothing\.\n/)
  })
})

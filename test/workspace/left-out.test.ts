import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'
import { calling, saying } from '../support/bench.ts'
import { openTao } from '../support/tao-command.ts'

const MAKE = [
  String.raw`printf x >$'bad-\xff.txt'; mkdir $'folder-\xfe'; printf x >$'folder-\xfe/x'`,
  'mkfifo pipe; ln -s /etc/passwd out; ln -s ../../.. up; printf y >a.txt',
  'mkdir -p __pycache__; mkfifo __pycache__/ignored',
].join('; ')

const WHYS = {
  'bad-\\xff.txt': 'its name is not UTF-8',
  'folder-\\xfe': 'its name is not UTF-8',
  out: 'it is a link that leads out of the tree',
  pipe: 'it is a named pipe',
  up: 'it is a link that leads out of the tree',
}

test('what a command made that cannot be delivered is named: by the tools, at the end, by diff and by apply', async () => {
  await using tao = await openTao({ 'a.txt': 'x' })
  const script = [
    calling('bash', { command: MAKE }),
    calling('list_files'),
    calling('search_files', { pattern: 'x' }),
    saying('done'),
  ]
  const ran = await tao.run(['run', 'Do it.', '-w', 'project', ...(await tao.script(script))])
  assert.equal(ran.code, 0, ran.stderr)
  const events = (await tao.journal())[0] ?? []
  const [, listed, searched] = events.flatMap((event) => (event.kind === 'call.finished' ? [event.observation] : []))
  assert.match(listed ?? '', /^bad-\\xff\.txt \(its name is not UTF-8/m)
  assert.match(listed ?? '', /^folder-\\xfe\/ \(its name is not UTF-8/m)
  assert.match(searched ?? '', /\[skipped names that are not UTF-8: bad-\\xff\.txt, folder-\\xfe\]/)
  const last = events.at(-1)
  assert.ok(last?.kind === 'run.ended')
  const leftOut = last.outcome.leftOut ?? []
  assert.deepEqual(Object.fromEntries(leftOut.map(({ path, why }) => [path, why])), WHYS)
  assert.deepEqual(last.outcome.changed, ['a.txt'])
  const diff = await tao.run(['diff'])
  const applied = await tao.run(['apply', 'latest', '--unproved'])
  for (const text of [ran.stdout, diff.stderr, applied.stderr])
    for (const [path, why] of Object.entries(WHYS)) assert.ok(text.includes(`left out: ${path}: ${why}\n`), text)
  assert.match(diff.stdout, /^diff --git a\/a\.txt b\/a\.txt\n/)
  assert.deepEqual(await readdir(join(tao.project)), ['a.txt'])
})

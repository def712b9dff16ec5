import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { dirname } from 'node:path'
import { describe, test } from 'node:test'
import { checkAlone, deliveryOf, givenTree } from '../../test/support/given-tree.ts'
import { TaoError } from '../core/error.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { SandboxError } from '../sandbox/sandbox.ts'
import { type CommandOptions, command } from './command.ts'

const sandbox = bubblewrap()
const run = (text: string, rest: Partial<CommandOptions> = {}) => command({ command: text, sandbox, ...rest })

// https://github.com/tetsuo-ai/agenc-core/pull/2464
test('holds on exit 0 only, and shows exit code and output of both streams', async () => {
  await using given = await givenTree({ 'test.sh': 'echo 3 tests; echo 1 failed >&2; exit 7' })
  assert.deepEqual(await given.check(run('bash test.sh')), { holds: false, detail: 'exit 7\n3 tests\n1 failed' })
  await given.write('test.sh', 'true')
  assert.deepEqual(await given.check(run('bash test.sh')), { holds: true, detail: 'exit 0\nIt printed nothing.' })
})

test('the name is the command on one line, and what it must print', () => {
  assert.equal(run('npm test').name, 'command: npm test')
  assert.equal(run('npm  test\n', { matches: '/^ok/' }).name, 'command: npm test, printing /^ok/')
})

describe('runs on what would be delivered, not in the working copy', () => {
  test('what is ignored there cannot help', async () => {
    await using given = await givenTree({ a: '' })
    await given.write('__pycache__/answer', '42')
    const { holds, detail } = await given.check(run('cat __pycache__/answer'))
    assert.equal(holds, false)
    assert.match(detail, /^exit 1\n.*No such file/)
  })

  test('what a check writes is gone after it, and its copy too', async () => {
    await using given = await givenTree({ a: '1' })
    const folders = async (): Promise<string[]> => (await readdir(dirname(given.workspace.view.copy))).sort()
    const before = await folders()
    assert.equal((await given.check(run('echo 2 > a; touch left; test "$(cat a)" = 2'))).holds, true)
    assert.deepEqual(await given.workspace.changes(), [])
    assert.deepEqual(await folders(), before)
  })

  test('protected paths stay read-only for a check', async () => {
    await using given = await givenTree({ 'tests/a': '1' }, ['tests'])
    assert.equal((await given.check(run('echo 2 > tests/a'))).holds, false)
  })
})

test('output must contain the pattern, on either stream', async () => {
  for (const printed of ['echo "5 passed"', 'echo "5 passed" >&2']) {
    assert.equal((await checkAlone(run(printed, { matches: '5 passed' }))).holds, true)
    assert.equal((await checkAlone(run(printed, { matches: '/^\\d passed$/' }))).holds, true)
  }
  const missed = await checkAlone(run('echo "4 passed"', { matches: '5 passed' }))
  assert.deepEqual(missed, { holds: false, detail: 'exit 0, but its output does not contain "5 passed"\n4 passed' })
  assert.equal((await checkAlone(run('echo ok; exit 1', { matches: 'ok' }))).holds, false)
})

test('a long output is shown by its end, a short error in full', async () => {
  const { detail } = await checkAlone(run('seq 1 5000; echo Broken >&2; exit 1'))
  assert.ok(detail.length < 2_100, `${detail.length}`)
  assert.match(detail, /^exit 1\n\[… \d+ characters left out …\]\n/)
  assert.match(detail, /4999\n5000\nBroken$/)
})

test('colours are left out', async () => {
  assert.equal((await checkAlone(run('printf "\\e[31mred\\e[0m\\n"'))).detail, 'exit 0\nred')
})

test('a command that takes too long, or prints too much, does not hold', async () => {
  const slow = await checkAlone(run('echo waiting; sleep 20', { timeLimit: 1_000 }))
  assert.equal(slow.holds, false)
  assert.match(slow.detail, /ended by the time limit of 1 s \(wallTime\): it had not finished\nwaiting$/)
  const loud = await checkAlone(run('yes', { limits: { output: 10_000 } }))
  assert.equal(loud.holds, false)
  assert.match(loud.detail, /ended by the output limit of 10000 bytes/)
})

test('a limit that explains a failure is named, one that harmed nothing is not', async () => {
  const limits = { fileSize: 4096, tempSpace: 8192 }
  const large = await checkAlone(run('head -c 9000 /dev/zero >f', { limits }))
  assert.match(large.detail, /^exit 153, a file grew beyond 4 KB \(fileSize, SIGXFSZ\)/)
  const full = await checkAlone(run('head -c 9000 /dev/zero >/tmp/f 2>&1', { limits: { tempSpace: 8192 } }))
  assert.match(full.detail, /^exit 1, likely reached the limit of 8 KB of temporary space/)
  const ended = await checkAlone(run('head -c 9000 /dev/zero >/tmp/f; true', { limits: { tempSpace: 8192 } }))
  assert.equal(ended.holds, true)
})

test('a sandbox that fails is not the command failing', async () => {
  const broken = bubblewrap({ program: '/nowhere/bwrap' })
  await assert.rejects(checkAlone(run('true', { sandbox: broken })), SandboxError)
})

test('is stopped with the run', async () => {
  const stop = new AbortController()
  const check = run('sleep 20').check(deliveryOf({ signal: stop.signal }))
  setTimeout(() => stop.abort(new Error('cancelled by a person')), 20)
  await assert.rejects(check, /cancelled by a person/)
})

test('an empty command and a pattern that cannot be read are refused at once', () => {
  assert.throws(() => run('  '), TaoError)
  assert.throws(() => run('true', { matches: '/(/' }), TaoError)
})

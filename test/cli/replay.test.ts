import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { mkdir, readFile, rm, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { replayFixture } from '../../src/app/fixture.ts'
import type { LiveReplay } from '../../src/app/replay-live.ts'
import { replayRun } from '../../src/app/replay-run.ts'
import { readSettings } from '../../src/app/settings.ts'
import type { Difference } from '../../src/run/difference.ts'
import { calling, saying } from '../support/bench.ts'
import { type Ended, openTao, type TaoCommand } from '../support/tao-command.ts'

const differenceIn = ({ stdout }: Ended): Difference | undefined =>
  (JSON.parse(stdout) as { difference?: Difference }).difference

const TASK = [
  'task: Write the number down.',
  'workspace: { path: project }',
  'tools: [bash]',
  'policy: own.yaml',
  'instructions: Be brief.',
  'done:',
  '  - command: grep -q 7 number.txt',
].join('\n')

const POLICY = `tools:
  bash:
    effects: [write]
    args:
      command: { role: payload, type: { text: 1000 }, free: true }
    runs:
      - args: { command: ls }
    denies:
      - args: { command: 7 }
`

const ASKING = POLICY.replace('    args:', '    floor: ask\n    args:').replace('    runs:', '    asks:')

/** A run of a task file with a policy of its own, proved. */
async function ranTask(tao: TaoCommand): Promise<void> {
  await tao.write('fix.task.yaml', TASK)
  await tao.write('own.yaml', POLICY)
  const script = [
    calling('bash', { command: 'echo 6 > number.txt' }),
    saying('done'),
    calling('bash', { command: 'echo 7 > number.txt' }),
    saying('done now'),
  ]
  const { code, stderr } = await tao.run(['run', 'fix.task.yaml', ...(await tao.script(script))])
  assert.equal(code, 0, stderr)
}

describe('tao replay', { concurrency: 2 }, () => {
  test('a proved run is as recorded, with neither its script, its folder nor its working copy left', async () => {
    await using tao = await openTao()
    await ranTask(tao)
    for (const gone of ['script.json', 'project', 'state/work']) await rm(join(tao.folder, gone), { recursive: true })
    const { stdout, stderr, code } = await tao.run(['replay'])
    assert.match(stdout, /^\S+ {2}\d+ events, 4 requests: all as recorded\n$/, stderr)
    assert.equal(code, 0)
  })

  test('what was changed since is named at its event and field, with both sides', async () => {
    await using tao = await openTao()
    await ranTask(tao)
    await tao.write('own.yaml', ASKING)
    const policy = await tao.run(['replay', '--json'])
    assert.equal(policy.code, 1, policy.stderr)
    const found = differenceIn(policy)
    assert.deepEqual([found?.seq, found?.kind, found?.field], [0, 'run.started', 'policyHash'])

    await tao.write('own.yaml', POLICY)
    await tao.write('fix.task.yaml', TASK.replace('Be brief.', 'Be thorough.'))
    const prompt = await tao.run(['replay', '--task', 'fix.task.yaml'])
    assert.equal(prompt.code, 1, prompt.stderr)
    assert.match(prompt.stdout, /event 0, run\.started: system differs\n/)
    assert.match(prompt.stdout, /\n {2}-Be brief\.\n {2}\+Be thorough\.\n/)

    const settings = readSettings({ TAO_HOME: tao.home })
    const changedTo = async (text: string): Promise<string | undefined> => {
      const taskFile = await tao.write('fix.task.yaml', text)
      return (await replayRun(settings, 'latest', { taskFile })).difference?.field
    }
    assert.equal(await changedTo(TASK), undefined)
    assert.equal(await changedTo(`${TASK}\nprotocol: tagged`), 'protocol')
    assert.equal(await changedTo(`${TASK}\nlimits: { rejectedClaims: 1 }`), 'limits')
    assert.equal(await changedTo(TASK.replace('[bash]', '[bash, read_file]')), 'head')
    assert.equal(await changedTo(TASK.replace('-q 7', '-q 8')), 'system')
  })

  // https://github.com/BerriAI/litellm/pull/37525
  test('a run is kept as a fixture without secrets, and is replayed from it', async () => {
    await using tao = await openTao()
    const key = { API_KEY: 'a-key-of-some-length' }
    const model = await tao.script([calling('bash', { command: 'echo a-key-of-some-length' }), saying('done')])
    assert.equal((await tao.run(['run', 'Do it.', '-w', 'project', ...model])).code, 0)
    const file = join(tao.folder, 'run.jsonl')
    const kept = await tao.run(['fixture', 'latest', '--out', file], key)
    assert.match(kept.stdout, /^\d+ events of run \S+ written to /, kept.stderr)
    assert.doesNotMatch(await readFile(file, 'utf8'), /a-key-of/)
    assert.equal((await tao.run(['fixture', 'latest', '--out', file])).code, 2, 'no file is written over')
    const plain = await tao.write('plain.jsonl', (await tao.run(['fixture'])).stdout)
    assert.deepEqual((await replayFixture(plain)).difference, undefined)
    await assert.rejects(replayFixture(join(tao.folder, 'script.json')), /is no fixture/)
  })

  test('a run that went on with another protocol, and with another word, is as recorded', async () => {
    await using tao = await openTao()
    await tao.run(['run', 'Say it.', ...(await tao.script([saying('one')]))])
    const more = await tao.script([saying('<answer>two</answer>')], 'more.json')
    const resumed = await tao.run(['resume', 'latest', '--say', 'Again.', '--protocol', 'tagged', ...more])
    assert.equal(resumed.code, 0, resumed.stderr)
    assert.match((await tao.run(['replay'])).stdout, /2 requests: all as recorded/)
  })

  test('a run that waits for an answer, and one that was blocked at its start, are as recorded', async () => {
    await using tao = await openTao()
    await tao.write('own.yaml', ASKING)
    const asks = await tao.script([calling('bash', { command: 'echo 1' })])
    await mkdir(tao.project, { recursive: true })
    const waiting = await tao.run(['run', 'Do it.', '-w', 'project', '-t', 'bash', '--policy', 'own.yaml', ...asks])
    assert.equal(waiting.code, 5, waiting.stderr)
    assert.match((await tao.run(['replay'])).stdout, /all as recorded/)
    const says = await tao.script([calling('bash', { command: 'true' }), saying('done')], 'says.json')
    const broken = join(tao.folder, 'no-bwrap')
    await writeFile(broken, '')
    assert.equal((await tao.run(['run', 'Do it.', '-w', 'project', ...says], { TAO_BWRAP: broken })).code, 3)
    assert.match((await tao.run(['replay'])).stdout, /all as recorded/)
  })

  test('with live tools the replies are those on record, and each other observation is shown', async () => {
    await using tao = await openTao({ 'a.txt': 'one\n' })
    const script = [
      calling('bash', { command: 'cat a.txt' }),
      calling('bash', { command: 'echo same' }),
      saying('done'),
    ]
    assert.equal((await tao.run(['run', 'Do it.', '-w', 'project', ...(await tao.script(script))])).code, 0)
    const before = readdirSync(join(tao.home, 'work'))
    await tao.write('project/a.txt', 'two\n')
    const live = await tao.run(['replay', '--live-tools', '--json'])
    assert.equal(live.code, 1, live.stderr)
    const { steps, differences } = JSON.parse(live.stdout) as LiveReplay
    assert.deepEqual([steps, differences.map(({ step, of }) => [step, of])], [3, [[1, 'bash']]])
    assert.match(differences[0]?.now ?? '', /two/)
    assert.deepEqual(readdirSync(join(tao.home, 'work')), before, 'its working copy is gone')
    assert.equal((await tao.journal()).length, 1, 'it is no run of its own')
  })

  // https://github.com/sipyourdrink-ltd/bernstein/issues/1846
  // https://github.com/sipyourdrink-ltd/bernstein/pull/1839
  test('with a live model each result on record answers once, in order, and a call without one reaches no tool', async () => {
    await using tao = await openTao()
    const again = calling('bash', { command: 'echo x >> log; wc -l < log' })
    const model = await tao.script([again, again, saying('done')])
    assert.equal((await tao.run(['run', 'Do it.', '-w', 'project', ...model])).code, 0)
    const same = await tao.run(['replay', '--live-model'])
    assert.match(same.stdout, /3 steps: all as recorded/, same.stderr)
    await tao.script([again, again, again, saying('done')])
    const { code, stdout } = await tao.run(['replay', '--live-model', '--json'])
    assert.equal(code, 1)
    const { differences } = JSON.parse(stdout) as LiveReplay
    assert.deepEqual(
      differences.map(({ step, of }) => [step, of]),
      [
        [3, 'reply'],
        [3, 'bash'],
        [4, 'reply'],
      ],
    )
  })
})

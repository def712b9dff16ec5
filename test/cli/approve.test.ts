import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { describe, test } from 'node:test'
import type { Event } from '../../src/core/event.ts'
import { calling, callOf, saying } from '../support/bench.ts'
import { type Ended, openTao, STEERS_TERMINAL, type TaoCommand } from '../support/tao-command.ts'

/** Commands ask first, whatever they say. */
const POLICY = `
tools:
  bash:
    effects: [write]
    floor: ask
    args:
      command: { role: payload, type: { text: 20000 } }
    asks:
      - args: { command: npm test }
    denies:
      - args: { command: npm test, requires_approval: false }
`

const PROOF = ['--done', 'grep -q two a.txt']
const ON_PROJECT = ['run', 'Do it.', '--workspace', 'project', '--tools', 'bash', '--policy', 'ask.yaml']
const WRITE_TWO = calling('bash', { command: 'echo two > a.txt' })

async function openAsking(): Promise<TaoCommand> {
  const tao = await openTao({ 'a.txt': 'one\n' })
  await tao.write('ask.yaml', POLICY)
  return tao
}

async function park(tao: TaoCommand, reply = WRITE_TWO): Promise<Ended> {
  const parked = await tao.run([...ON_PROJECT, ...PROOF, ...(await tao.script([reply, saying('Done.')]))])
  assert.equal(parked.code, 5, parked.stdout + parked.stderr)
  return parked
}

const eventsOf = async (tao: TaoCommand): Promise<readonly Event[]> => (await tao.journal())[0] ?? []

const observationsIn = (events: readonly Event[]): string[] =>
  events.flatMap((event) => ('observation' in event && event.observation !== undefined ? [event.observation] : []))

describe('approvals without a terminal', { concurrency: 2 }, () => {
  // https://github.com/openkaiden/kaiden/issues/2897
  test('a call that asks parks the run with 5, a card and the lines that answer; approved elsewhere it goes on', async () => {
    await using tao = await openAsking()
    const parked = await park(tao)
    const [, run = '', call = ''] = /\napprove it: {2}npm run tao -- approve (\S+) (\S+)\n/.exec(parked.stdout) ?? []
    assert.match(parked.stdout, /^waiting: bash needs your approval\n│ bash /)
    assert.match(parked.stdout, /│ command \(composed by the model\)\n│ │ echo two > a\.txt\n/)
    assert.ok(parked.stdout.includes(`deny it:     npm run tao -- deny ${run} ${call} --reason "…"`))
    assert.match((await tao.run(['runs'])).stdout, /^\S+ {2}waiting .*\(for approval of bash\)\n$/)
    assert.match((await tao.run(['show'])).stdout, /\? bash \(\S+\) needs approval: [\s\S]*\napprove it: /)

    const wrong = await tao.run(['approve', run, 'call-9'])
    assert.deepEqual([wrong.code, wrong.stdout], [2, ''])
    assert.match(wrong.stderr, /has no call "call-9"\.\nThese wait: /)

    const approved = await tao.run(['approve', run, call])
    assert.equal(approved.code, 0, approved.stderr)
    assert.match(approved.stdout, /^success: /)
    assert.match(approved.stderr, /^│ bash [\s\S]*✓ \S+ approved by \S+ \(command\)\n/)
    const again = await tao.run(['approve', run, call])
    assert.equal(again.code, 2)
    assert.match(again.stderr, /was approved by .* an approval counts once/)
  })

  test('what is denied does not run, and the model is told why; with --no-resume the run goes on later', async () => {
    await using tao = await openAsking()
    await park(tao)
    const denied = await tao.run(['deny', 'latest', '--reason', 'Use the tool edit.', '--no-resume'])
    assert.equal(denied.code, 0, denied.stderr)
    assert.match(denied.stdout, /^Denied\. To go on: npm run tao -- resume /)
    const resumed = await tao.run(['resume', 'latest', '--json', '--rejected-claims', '1'])
    assert.equal(resumed.code, 1, resumed.stderr)
    const events = await eventsOf(tao)
    assert.ok(observationsIn(events).includes('Not run. A person did not approve it. They said: Use the tool edit.'))
    assert.ok(!events.some(({ kind }) => kind === 'call.started'))
  })

  test('edited arguments are decided on again, and are what runs', async () => {
    await using tao = await openAsking()
    await park(tao, calling('bash', { command: 'rm -r .' }))
    for (const [edit, problem] of [
      ['{"command":', /cannot be read/],
      ['{"command":"x","requires_approval":false}', /policy has no argument "requires_approval"/],
    ] as const) {
      const refused = await tao.run(['approve', 'latest', '--edit', edit])
      assert.deepEqual([refused.code, problem.test(refused.stderr)], [2, true], refused.stderr)
    }
    await tao.write('edit.json', '{ "command": "echo two > a.txt" }')
    const approved = await tao.run(['approve', 'latest', '--edit', '@edit.json'])
    assert.equal(approved.code, 0, approved.stderr)
    assert.match(approved.stderr, /│ command \(changed by you\)\n│ │ echo two > a\.txt\n/)
  })

  test('a run whose record was changed does not go on', async () => {
    await using tao = await openAsking()
    await park(tao)
    const journal = new DatabaseSync(join(tao.home, 'journal.sqlite'))
    journal.exec(`UPDATE event SET fact = replace(fact, 'echo two', 'echo six')`)
    journal.close()
    const approved = await tao.run(['approve', 'latest'])
    assert.equal(approved.code, 2)
    assert.match(approved.stderr, /is not what was recorded, so it does not go on/)
  })
})

/** 10 KB, one line of 2 KB among them, with what a terminal would obey, hide or turn around. */
const LINES = [
  ...Array.from({ length: 90 }, (_, at) => `: line ${at} ${'abcdefghi '.repeat(8)}end`),
  `: long ${'0123456789'.repeat(200)} end`,
  ': \u202etxt.exe\u202c \u200bIBAN \x1b[2J\x1b[1;1H \u{e0041}hidden \u05d0\u05d1 done',
  'echo two > a.txt',
]
const LONG = calling('bash', { command: LINES.join('\n') })
const SHOWN = ': \\u{202e}txt.exe\\u{202c} \\u{200b}IBAN \\x1b[2J\\x1b[1;1H \\u{e0041}hidden '

describe('approvals in a terminal', { concurrency: 2 }, () => {
  test('the card of a 10 KB command is complete, nothing in it hides or turns, and an answer in place goes on', async () => {
    await using tao = await openAsking()
    assert.ok(LINES.join('\n').length > 10_000)
    const model = await tao.script([LONG, saying('Done.')])
    await using terminal = await tao.openTerminal([...ON_PROJECT, ...PROOF, ...model])
    const card = await terminal.until(/\[l\]ater\?/)
    const shown = card.split('\n').flatMap((line) => (line.startsWith('│ │ ') ? [line.slice(4).trimEnd()] : []))
    assert.deepEqual(shown.slice(0, LINES.length - 2), LINES.slice(0, -2))
    assert.ok(shown[LINES.length - 2]?.startsWith(SHOWN), shown[LINES.length - 2])
    assert.equal(shown[LINES.length - 1], LINES.at(-1))
    assert.ok(shown.some((line) => line.endsWith('hidden \\u{5d0}\\u{5d1} done')))
    assert.doesNotMatch(card.split('│ bash')[1] ?? '', STEERS_TERMINAL)
    await terminal.type('what')
    await terminal.press('Enter')
    await terminal.until(/Answer with a, e, d or l\./)
    await terminal.type('a')
    await terminal.press('Enter')
    const ended = await terminal.until(/\nexit \d/)
    assert.match(ended, /✓ \S+ approved by \S+ \(terminal\)[\s\S]*\nsuccess: [\s\S]*\nexit 0\n/)
  })

  test('the calls of a reply share a screen and are answered one by one: edited, decided again, denied', async () => {
    await using tao = await openAsking()
    const calls = [callOf('bash', { command: 'echo six > a.txt' }), callOf('bash', { command: 'rm a.txt' })]
    const model = await tao.script([{ calls }, saying('Done.')])
    await using terminal = await tao.openTerminal([...ON_PROJECT, ...PROOF, ...model])
    const cards = await terminal.until(/1 of 2: bash: \[a\]pprove/)
    assert.match(cards, /echo six[\s\S]*rm a\.txt[\s\S]*1 of 2: bash/)
    await terminal.type('e')
    await terminal.press('Enter')
    await terminal.until(/\{"command":"echo six > a\.txt"\}/)
    await terminal.press('C-u')
    await terminal.type('{"command":5}')
    await terminal.press('Enter')
    await terminal.until(/cannot be approved: .*expected a text/)
    await terminal.press('C-u')
    await terminal.type('{"command":"echo two > a.txt"}')
    await terminal.press('Enter')
    await terminal.until(/command \(changed by you\)/)
    await terminal.type('a')
    await terminal.press('Enter')
    await terminal.until(/2 of 2: bash: \[a\]pprove/)
    await terminal.type('d')
    await terminal.press('Enter')
    await terminal.until(/The model is told: /)
    await terminal.type('It is needed.')
    await terminal.press('Enter')
    assert.match(await terminal.until(/\nexit \d/), /\nsuccess: [\s\S]*\nexit 0\n/)
    const told = observationsIn(await eventsOf(tao))
    assert.ok(told.includes('Not run. A person did not approve it. They said: It is needed.'), told.join('\n'))
    assert.equal(await readFile(join(tao.project, 'a.txt'), 'utf8'), 'one\n')
  })

  test('Ctrl-C at the question cancels the run; "later" leaves it open with 5', async () => {
    await using tao = await openAsking()
    const model = await tao.script([WRITE_TWO, saying('Done.')])
    for (const [key, code, ending] of [
      ['C-c', 130, /\ncancelled: Cancelled by Ctrl-C\./],
      ['l', 5, /\nwaiting: bash needs your approval\n/],
    ] as const) {
      await using terminal = await tao.openTerminal([...ON_PROJECT, ...model])
      await terminal.until(/\[l\]ater\?/)
      await terminal.press(key)
      if (key === 'l') await terminal.press('Enter')
      const shown = await terminal.until(/\nexit \d/)
      assert.match(shown, ending)
      assert.match(shown, new RegExp(`\\nexit ${code}\\n`))
    }
  })
})

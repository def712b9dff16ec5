import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { after as afterAll, test } from 'node:test'
import { answer } from '../../src/judge/answer.ts'
import { called } from '../../src/judge/called.ts'
import { changed } from '../../src/judge/changed.ts'
import { check } from '../../src/judge/check.ts'
import { all, any, not } from '../../src/judge/combine.ts'
import { command } from '../../src/judge/command.ts'
import type { Criterion, Delivery, Finding } from '../../src/judge/criterion.ts'
import { fact } from '../../src/judge/fact.ts'
import { file } from '../../src/judge/file.ts'
import { find } from '../../src/judge/find.ts'
import { grounded } from '../../src/judge/grounded.ts'
import { model } from '../../src/judge/model.ts'
import { unchanged } from '../../src/judge/unchanged.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { scripted } from '../../src/model/scripted.ts'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { SandboxError } from '../../src/sandbox/sandbox.ts'
import type { Workspace } from '../../src/sandbox/workspace.ts'
import { runScript, saying } from '../support/bench.ts'
import { givenTree } from '../support/given-tree.ts'
import { after, known, recorded } from '../support/recorded.ts'

const PAGE = join(import.meta.dirname, '../../docs/judge.md')

/** One situation of one criterion: what is checked, and on what. */
type Situation = readonly [Criterion, Delivery] | undefined
/** holds, fails, errors, times out, stale. */
type Row = readonly Situation[]

const tree = await givenTree({ 'a.txt': 'one', 'b.txt': 'two' })
afterAll(() => tree[Symbol.asyncDispose]())
await tree.write('b.txt', 'changed')
await tree.write('folder/c.txt', '')
const onTree: Delivery = { ...after({}), workspace: tree.workspace }
const unreadable = Object.create(tree.workspace, {
  changes: { value: () => Promise.reject(new Error('cannot be read')) },
}) as Workspace
const onUnreadable: Delivery = { ...onTree, workspace: unreadable }
const hanging = Object.create(tree.workspace, { changes: { value: () => new Promise(() => undefined) } }) as Workspace
const onHanging = (): Delivery => ({ ...onTree, workspace: hanging, signal: AbortSignal.timeout(30) })

const sandbox = bubblewrap()
const broken = bubblewrap({ program: '/nowhere/bwrap' })
const looked = { calls: [recorded({ observation: '42 rows' })] }
const saidBy = (reply: ScriptReply) => model({ model: scripted([reply]), rubric: 'Good.', timeLimit: 30 })
const yes = check({ name: 'yes', check: () => true })
const no = check({ name: 'no', check: () => false })
const throwing = check({ name: 'throwing', check: () => Promise.reject(new Error('broke')) })
const slow = check({ name: 'slow', check: () => new Promise<boolean>(() => undefined), timeLimit: 20 })
const staleCall = called({ tool: 'look' })
const changedSince = after({ ...looked, lastChange: 9 })
const on = (criterion: Criterion, delivery = after({})) => [criterion, delivery] as const

const ROWS: Readonly<Record<string, Row>> = {
  command: [
    on(command({ command: 'true', sandbox })),
    on(command({ command: 'false', sandbox })),
    on(command({ command: 'true', sandbox: broken })),
    on(command({ command: 'sleep 9', sandbox, timeLimit: 100 })),
    undefined,
  ],
  unchanged: [
    on(unchanged(['a.txt']), onTree),
    on(unchanged(['b.txt']), onTree),
    on(unchanged(['a.txt']), onUnreadable),
    on(unchanged(['a.txt']), onHanging()),
    undefined,
  ],
  changed: [
    on(changed(['b.txt', 'folder']), onTree),
    on(changed(['a.txt']), onTree),
    on(changed(['a.txt']), onUnreadable),
    on(changed(['a.txt']), onHanging()),
    undefined,
  ],
  file: [
    on(file({ path: 'a.txt', matches: 'one' }), onTree),
    on(file({ path: 'gone.txt' }), onTree),
    on(file({ path: 'folder' }), onTree),
    undefined,
    undefined,
  ],
  called: [
    on(called({ tool: 'look' }), after(looked)),
    on(called({ tool: 'run' }), after(looked)),
    undefined,
    undefined,
    on(staleCall, changedSince),
  ],
  fact: [
    on(fact({ fact: 'total' }), after({ facts: [known()] })),
    on(fact({ fact: 'total' })),
    undefined,
    undefined,
    on(fact({ fact: 'total' }), after({ facts: [known()], lastChange: 9 })),
  ],
  answer: [on(answer({ minLength: 1 }), after({}, 'x')), on(answer({ minLength: 1 })), undefined, undefined, undefined],
  grounded: [on(grounded(), after(looked, '42')), on(grounded(), after(looked, '43')), undefined, undefined, undefined],
  model: [
    on(saidBy({ text: '{"holds": true}' })),
    on(saidBy({ text: '{"holds": false}' })),
    on(saidBy({ text: 'Fine.' })),
    on(saidBy({ text: '{"holds": true}', delayMs: 5_000 })),
    undefined,
  ],
  check: [on(yes), on(no), on(throwing), on(slow), undefined],
  all: [
    on(all([yes, yes])),
    on(all([yes, no])),
    on(all([yes, throwing])),
    on(all([yes, slow])),
    on(all([yes, staleCall]), changedSince),
  ],
  any: [
    on(any([no, yes])),
    on(any([no, no])),
    on(any([no, throwing])),
    on(any([no, slow])),
    on(any([no, staleCall]), changedSince),
  ],
  not: [on(not(no)), on(not(yes)), on(not(throwing)), on(not(slow)), on(not(staleCall), changedSince)],
}

const BEFORE: Readonly<Record<string, Criterion>> = {
  command: command({ command: 'true', sandbox }),
  file: file({ path: 'a.txt' }),
  all: all([file({ path: 'a.txt' })]),
  any: any([file({ path: 'a.txt' })]),
  not: not(file({ path: 'gone.txt' })),
}

const word = ({ holds, doubt }: Finding): string => doubt ?? (holds ? 'proved' : 'missing')

async function found(situation: Situation): Promise<string> {
  if (situation === undefined) return '–'
  const [criterion, delivery] = situation
  try {
    return word(await find(criterion, delivery))
  } catch (error) {
    assert.ok(error instanceof SandboxError)
    return 'blocked'
  }
}

/** The rows of the first table of the page that begin with the name of a criterion. */
const documented = (): Record<string, string[]> =>
  Object.fromEntries(
    Array.from(readFileSync(PAGE, 'utf8').matchAll(/^\| `(\w+)` \|(.+)\|$/gm), ([, name = '', cells = '']) => [
      name,
      cells.split('|').map((cell) => cell.trim()),
    ]),
  )

test('every criterion finds in every situation what docs/judge.md says', async () => {
  const measured: Record<string, string[]> = {}
  for (const [name, row] of Object.entries(ROWS)) {
    const cells = []
    for (const situation of row) cells.push(await found(situation))
    measured[name] = [...cells, name in BEFORE ? 'reported' : '–']
  }
  assert.deepEqual(documented(), measured)
})

test('a criterion that can be tried before the first step is reported when it held then', async () => {
  for (const criterion of Object.values(BEFORE)) {
    const { outcome } = await runScript({ script: [saying('x')], criteria: [criterion], workspace: tree.workspace })
    assert.deepEqual([outcome.status, outcome.evidence[0]?.heldBefore], ['success', true], criterion.name)
  }
  for (const [name, [first]] of Object.entries(ROWS))
    assert.equal(first?.[0].early === true, ['command', 'file'].includes(name), name)
})

test('what was found decides how a run ends as docs/judge.md says', async () => {
  const findings: Readonly<Record<string, readonly [Finding, string]>> = {
    proved: [{ holds: true, detail: '' }, 'success'],
    opinion: [{ holds: true, detail: '', doubt: 'opinion' }, 'answered'],
    missing: [{ holds: false, detail: '' }, 'failed'],
    'bad opinion': [{ holds: false, detail: '', doubt: 'opinion' }, 'failed'],
    error: [{ holds: false, detail: '', doubt: 'error' }, 'failed'],
    timeout: [{ holds: false, detail: '', doubt: 'timeout' }, 'failed'],
    stale: [{ holds: false, detail: '', doubt: 'stale' }, 'failed'],
  }
  for (const [name, [finding, status]] of Object.entries(findings)) {
    const criterion: Criterion = { name, check: async () => finding }
    const { outcome } = await runScript({ script: () => saying('Done.'), criteria: [criterion] })
    assert.equal(outcome.status, status, name)
  }
  const unsafe: Criterion = { name: 'x', check: () => Promise.reject(new SandboxError('gone')) }
  assert.equal((await runScript({ script: [saying('Done.')], criteria: [unsafe] })).outcome.status, 'blocked')
})

import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { readPolicy } from '../src/app/policy-file.ts'
import { readPreset } from '../src/app/task-request.ts'
import type { JsonObject } from '../src/core/json.ts'
import { MARKS, type Mark } from '../src/core/mark.ts'
import { decide } from '../src/policy/decide.ts'
import { findMismatches } from '../src/policy/load.ts'
import { bubblewrap } from '../src/sandbox/bubblewrap.ts'
import { BUILTIN_TOOLS } from '../src/tools/builtin.ts'
import type { Place } from '../src/tools/place.ts'

const FOLDER = join(import.meta.dirname, '../policies')
const session = { workspace: '/w', client: 'c-1', account: 'KZ-1' }

interface Run {
  readonly words?: string
  readonly marks?: readonly Mark[]
}

async function decideOn(name: string, tool: string, args: JsonObject, { words = '', marks = [] }: Run = {}) {
  const policy = await readPolicy(name, FOLDER)
  const used = { calls: 0, money: 0 }
  return decide(policy, { tool, args }, { marks, words: [{ kind: 'typed', text: words }], session, used, canAsk: true })
    .decision
}

for (const file of readdirSync(FOLDER))
  test(`${file} loads, and each of its examples is decided as it says`, async () => {
    const policy = await readPolicy(file.replace('.yaml', ''), '/nowhere')
    assert.ok(Object.keys(policy.tools).length > 0)
  })

test('the policy for coding names every tool that works on a folder, and every argument of it', async () => {
  const place: Place = { view: { copy: '/w', protect: [] }, sandbox: bubblewrap({ program: '/nowhere' }) }
  const definitions = [...BUILTIN_TOOLS].flatMap(([name, build]) => {
    return WORKS_ON_A_FOLDER.includes(name) ? [build(place).definition] : []
  })
  assert.equal(definitions.length, WORKS_ON_A_FOLDER.length)
  assert.deepEqual(findMismatches(await readPolicy('coding', FOLDER), definitions), [])
})

const WORKS_ON_A_FOLDER = ['read_file', 'list_files', 'search_files', 'edit', 'write_file', 'bash']

describe('coding', () => {
  test('changes inside the working copy are free, whatever was read; what leaves it is not', async () => {
    const marks = MARKS
    assert.equal(await decideOn('coding', 'bash', { command: 'npm test' }, { marks }), 'allow')
    assert.equal(await decideOn('coding', 'write_file', { path: '.git/hooks/x', content: '' }, { marks }), 'deny')
    assert.equal(await decideOn('coding', 'fetch', { url: 'https://example.com/?key=1' }, { marks }), 'ask')
  })
})

describe('bank', () => {
  test('nobody reaches another client’s account, and money always asks', async () => {
    assert.equal(await decideOn('bank', 'balance', { account: 'KZ-2' }), 'deny')
    assert.equal(
      await decideOn('bank', 'txn_search', { from: '2026-10-01', to: '2026-10-31', client_id: 'c-2' }),
      'deny',
    )
    const words = 'Pay 50 to payee:3.'
    assert.equal(await decideOn('bank', 'transfer', { to: 'payee:3', amount: 5_000 }, { words }), 'ask')
    assert.equal(await decideOn('bank', 'limit_up', {}), 'deny')
  })
})

describe('research', () => {
  test('once a page was read, an address asks unless it was typed or its host is listed', async () => {
    const marks: Mark[] = ['untrusted']
    const visit = (url: string, run: Run) => decideOn('research', 'visit', { url, goal: 'What is it?' }, run)
    assert.equal(await visit('https://example.com/a', {}), 'allow')
    assert.equal(await visit('https://example.com/a', { marks }), 'ask')
    assert.equal(await visit('https://example.com/a', { marks, words: 'Read https://example.com/a' }), 'allow')
    assert.equal(await visit('https://arxiv.org/abs/1', { marks }), 'allow')
  })

  test('documents of the corpus are read freely, whatever was read; beside them an address is one', async () => {
    const visit = (url: JsonObject[string]) => decideOn('research', 'visit', { url, goal: 'x' }, { marks: MARKS })
    assert.equal(await visit('corpus:///letters/1974.md'), 'allow')
    assert.equal(await visit(['corpus:///a.md', 'https://example.com/?d=what-was-read']), 'ask')
  })

  test('it names every tool of the preset research', async () => {
    const { template } = await readPreset('research', { folder: '/nowhere' })
    const { tools } = await readPolicy('research', FOLDER)
    assert.deepEqual(
      (template.tools ?? []).filter((name) => !Object.hasOwn(tools, name)),
      [],
    )
  })
})

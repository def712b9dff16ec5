import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, describe, test } from 'node:test'
import { TaoError } from '../core/error.ts'
import { readPolicy, tryPolicy } from './policy-file.ts'

let folder = ''
before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'tao-policy-'))
})
after(() => rm(folder, { recursive: true, force: true }))

async function problemIn(text: string): Promise<string> {
  await writeFile(join(folder, 'p.yaml'), text)
  try {
    await readPolicy('p.yaml', folder)
  } catch (error) {
    assert.ok(error instanceof TaoError, String(error))
    return error.message
  }
  return 'none'
}

test('every problem of a policy is told with its file, all at once', async () => {
  const problems = await problemIn('tools:\n  a: { effects: [reed], args: {}, denies: [] }\nrules: []\n')
  const lines = problems.split('\n')
  assert.ok(lines.length >= 3 && lines.every((line) => line.startsWith('p.yaml: ')), problems)
})

test('text that is no YAML is told with line and column', async () => {
  assert.match(await problemIn('tools: { mail: ['), /^p\.yaml:1:\d+: This is not YAML: /)
})

test('a name of a policy that ships with Tao wins over a file of that name', async () => {
  await writeFile(join(folder, 'bank'), 'tools: {}\n')
  assert.ok(Object.hasOwn((await readPolicy('bank', folder)).tools, 'transfer'))
  assert.deepEqual((await readPolicy('./bank', folder)).tools, {})
})

describe('a call from a file', () => {
  const tried = async (call: object) => {
    await writeFile(join(folder, 'call.json'), JSON.stringify(call))
    return tryPolicy('bank', 'call.json', folder)
  }

  test('is decided as in a run that has read what the file says', async () => {
    assert.equal((await tried({ tool: 'balance', args: {} })).decision, 'allow')
    assert.equal((await tried({ tool: 'transfer', args: { to: 'payee:3', amount: 5_000 } })).decision, 'ask')
    const nobody = await tried({ tool: 'transfer', args: { to: 'payee:3', amount: 5_000 }, canAsk: false })
    assert.equal(nobody.cause, 'nobody-to-ask')
    const used = await tried({ tool: 'transfer', args: { to: 'payee:3', amount: 5_000 }, used: { calls: 3, money: 0 } })
    assert.equal(used.cause, 'limit')
    assert.equal((await tried({ tool: 'balance', args: {}, session: {} })).cause, 'session-incomplete')
  })

  test('with an unknown key is refused', async () => {
    await assert.rejects(tried({ tool: 'balance', args: {}, approved: true }), /call\.json: .*approved/)
  })
})

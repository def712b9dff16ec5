import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { test } from 'node:test'

const EXAMPLE = join(import.meta.dirname, '../examples/03-login-redirect')
const readme = await readFile(join(EXAMPLE, 'README.md'), 'utf8')
const env = { PATH: process.env.PATH }

/** What the README shows for a line of the command, and what the command prints. */
function shownAndPrinted(flags: string) {
  const [, shown] = readme.split(`$ npx node diagnose.ts${flags}\n`)
  const args = ['diagnose.ts', ...flags.split(' ').filter((word) => word !== '')]
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: EXAMPLE, env, encoding: 'utf8', timeout: 60_000 })
  return { shown: shown?.split('```')[0], printed: stdout, exit: status }
}

const ENDINGS = [
  ['', 'success', 'prose is no call and no answer: it is read on from there, and the answer is made from facts'],
  [' --script hasty', 'success', 'a claim before the evidence is sent back with what is missing'],
  [' --script eager', 'blocked', 'the first call of a tool that is not allowed ends it'],
  [' --script rambling', 'failed', 'two replies in a row that cannot be read end it'],
  [' --steps 3', 'limit', 'three steps are not enough, and what is missing is said'],
] as const

for (const [flags, status, what] of ENDINGS)
  test(`example 03 ends as ${status} and prints what its README shows: ${what}`, () => {
    const { shown, printed, exit } = shownAndPrinted(flags)
    assert.equal(printed, shown)
    assert.match(printed, new RegExp(`^${status}: `, 'm'))
    assert.equal(exit, status === 'success' ? 0 : 1)
  })

test('the site of example 03 is broken as it says: its tests fail, and with one key for both they pass', async () => {
  const site = join(EXAMPLE, 'site')
  const args = ['--test', 'tests/*.test.ts']
  const { status, stdout } = spawnSync(process.execPath, args, { cwd: site, env, encoding: 'utf8', timeout: 60_000 })
  assert.equal(status, 1)
  assert.match(stdout, /pass 1\n.*fail 2\n/)
  const [login, callback] = await Promise.all(['login', 'callback'].map((name) => import(join(site, `src/${name}.ts`))))
  const session = new Map([['redirectTo', '/settings']])
  login.startLogin(new Map(), '/settings')
  assert.deepEqual(callback.finishLogin(session, 'ada'), { goTo: '/settings' })
})

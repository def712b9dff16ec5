import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { chmodSync, chownSync, cpSync, mkdirSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { text } from 'node:stream/consumers'
import { reachableSource } from '../../src/sandbox/reachable.ts'
import { removeTree } from '../../src/sandbox/remove-tree.ts'
import { type SandboxUser, sandboxUser } from '../../src/sandbox/user.ts'
import type { Findings } from './runner.ts'

/** What the whole list came to: by a normal user, and by root where these tests are run by root. */
export interface Results {
  readonly user: Findings
  readonly root?: Findings
}

const ROOT = join(import.meta.dirname, '../..')
/** What the runner needs; a clone may lie where a normal user cannot look. */
const PARTS = ['package.json', 'src/core', 'src/sandbox', 'src/tools', 'test/escape', 'node_modules/diff']

/** Makes every attempt of the list. Takes some seconds. */
export async function runEscapeList(): Promise<Results> {
  const folder = mkdtempSync(join(tmpdir(), 'tao-escape-'))
  chmodSync(folder, 0o755)
  try {
    const user = sandboxUser()
    const code = join(folder, 'code')
    for (const part of PARTS) cpSync(join(ROOT, part), join(code, part), { recursive: true })
    // Both have to be over before their folder goes, whatever became of one of them.
    const runs = await Promise.allSettled([
      runAs(user, { folder: join(folder, 'u'), code, naive: true }),
      ...(user.dropped ? [runAs(undefined, { folder: join(folder, 'r'), code, naive: false })] : []),
    ])
    const [asUser, asRoot] = runs.map((run) => {
      if (run.status === 'rejected') throw run.reason
      return run.value
    })
    if (asUser === undefined) throw new Error('The list was not tried.')
    return asRoot === undefined ? { user: asUser } : { user: asUser, root: asRoot }
  } finally {
    await removeTree(folder)
  }
}

interface RunOptions {
  readonly folder: string
  readonly code: string
  readonly naive: boolean
}

/** `user`: undefined for the user that these tests run as. */
async function runAs(user: SandboxUser | undefined, { folder, code, naive }: RunOptions): Promise<Findings> {
  mkdirSync(folder)
  const own = user?.dropped ? { uid: user.uid, gid: user.gid } : undefined
  if (own !== undefined) chownSync(folder, own.uid, own.gid)
  const node = user === undefined ? process.execPath : await reachableSource(process.execPath, user)
  const result = join(folder, 'findings.json')
  const runner = [node, '--no-warnings', join(code, 'test/escape/runner.ts')]
  const launcher = [join(code, 'test/escape/launcher.py'), ...runner, folder, result, naive ? 'naive' : 'tao']
  const child = spawn('/usr/bin/python3', launcher, {
    cwd: '/',
    env: { PATH: '/usr/bin:/bin', HOME: folder, TAO_ESCAPE_KEY: `sk-${randomUUID()}` },
    stdio: ['ignore', 'pipe', 'pipe'],
    ...own,
  })
  const [said, complained, exit] = await Promise.all([
    text(child.stdout),
    text(child.stderr),
    new Promise((resolve) => child.on('close', resolve)),
  ])
  if (exit !== 0) throw new Error(`The attempts could not be made (exit ${exit}):\n${said}${complained}`)
  return JSON.parse(readFileSync(result, 'utf8')) as Findings
}

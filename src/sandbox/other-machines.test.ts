import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { reachableSource } from './reachable.ts'
import { tempFolder } from './sandbox.contract.ts'
import type { Probe } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { sandboxUser } from './user.ts'

const SOURCE = join(import.meta.dirname, '..')
const ASK =
  'const { bubblewrap } = await import("/opt/tao/sandbox/bubblewrap.ts"); console.log(JSON.stringify(await bubblewrap().probe()))'
const PROBE = ['/opt/node/bin/node', '--input-type=module', '-e', ASK]

const problemIn = (output: string): { problem: string; fix: string } => {
  const probe = JSON.parse(output) as Probe
  assert.equal(probe.ok, false, output)
  return probe.ok ? { problem: '', fix: '' } : probe
}

/** The probe of a Tao that stands in namespaces of its own, where it is root and may spoil what it likes. */
async function probeIn(
  options: readonly string[],
  spoil: string,
  filter?: number,
): Promise<{ problem: string; fix: string }> {
  const user = sandboxUser()
  const [node, source] = await Promise.all([process.execPath, SOURCE].map((path) => reachableSource(path, user)))
  const system = ['/bin', '/sbin', '/lib', '/lib64'].flatMap((path) => ['--ro-bind-try', path, path])
  const shown = ['--ro-bind', node ?? '', '/opt/node/bin/node', '--ro-bind', source ?? '', '/opt/tao']
  const mounts = [
    '--ro-bind',
    '/usr',
    '/usr',
    ...system,
    ...shown,
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
    '--proc',
    '/proc',
  ]
  const namespaces = ['--unshare-all', '--uid', '0', '--gid', '0', '--cap-add', 'ALL', '--die-with-parent']
  const shell = ['/bin/bash', '-c', `${spoil}; exec "$@"`, 'bash', ...PROBE]
  const found = spawnSync('/usr/bin/bwrap', [...namespaces, ...mounts, ...options, '--', ...shell], {
    env: {},
    encoding: 'utf8',
    stdio: ['ignore', 'pipe', 'pipe', filter],
    timeout: 20_000,
    ...(user.dropped ? { uid: user.uid, gid: user.gid } : {}),
  })
  assert.equal(found.status, 0, found.stderr)
  return problemIn(found.stdout)
}

test('where user namespaces are used up, the probe says so', async () => {
  const { problem, fix } = await probeIn([], 'echo 0 >/proc/sys/user/max_user_namespaces')
  assert.match(problem, /switches user namespaces off; bubblewrap said ".*max_\*_namespaces/)
  assert.match(fix, /sysctl -w user\.max_user_namespaces/)
})

test('where parts of /proc are covered, as containers do, the probe says so', async () => {
  const { problem, fix } = await probeIn(['--ro-bind', '/proc/sys', '/proc/sys'], 'true')
  assert.match(problem, /\/proc.*bubblewrap said "Can't mount proc/)
  assert.match(fix, /outside of the sandbox|container/)
})

test('under a filter that forbids namespaces, as a service or a container has it, the probe says so', async () => {
  await using folder = tempFolder()
  const file = join(folder.path, 'filter')
  writeFileSync(file, seccompFilter())
  const filter = openSync(file, 'r')
  try {
    const { problem, fix } = await probeIn(['--seccomp', '3'], 'true', filter)
    assert.match(problem, /bubblewrap said "No permissions to creat/)
    assert.match(fix, /RestrictNamespaces|--sandbox external|apparmor/)
  } finally {
    closeSync(filter)
  }
})

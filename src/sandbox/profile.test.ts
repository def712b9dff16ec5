import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type ProfileInput, profileArguments } from './profile.ts'

const INPUT: ProfileInput = {
  uid: 1000,
  gid: 1000,
  limits: { tempSpace: 4096 },
  systemFolders: [{ path: '/bin', link: 'usr/bin' }, { path: '/lib64' }],
  view: { copy: '/w/copy', wholeReadOnly: false, pins: ['a', 'a/b'], protect: ['a/b/tests', 'x'] },
  readOnly: [{ source: '/host/tool', path: '/opt/tool' }],
  descriptors: { seccomp: 4, passwd: 5, group: 6, status: 8, hosts: 9 },
}
const line = (input: ProfileInput): string => profileArguments(input).join(' ')

/** Fails unless all parts stand in the line in this order. */
function assertOrder(text: string, parts: readonly string[]): void {
  let at = 0
  for (const part of parts) {
    const found = text.indexOf(part, at)
    assert.ok(found >= 0, `"${part}" is missing, or stands too early in: ${text}`)
    at = found + part.length
  }
}

test('everything is cut off before anything is shown', () => {
  assertOrder(line(INPUT), [
    '--unshare-user --disable-userns --assert-userns-disabled --uid 1000 --gid 1000',
    '--unshare-pid --unshare-ipc --unshare-uts --unshare-cgroup-try',
    '--unshare-net --cap-drop ALL --new-session --die-with-parent --clearenv',
    '--setenv PATH /usr/local/bin:/usr/bin:/bin:/opt/node/bin',
    '--ro-bind /usr /usr',
  ])
})

test('what lies over something else comes after it', () => {
  assertOrder(line(INPUT), [
    '--proc /proc --ro-bind /proc/sys /proc/sys',
    '--dev /dev --size 4096 --tmpfs /dev/shm --remount-ro /dev',
    '--perms 1777 --size 4096 --tmpfs /tmp',
    '--bind /w/copy /workspace',
    '--bind /w/copy/a /workspace/a --bind /w/copy/a/b /workspace/a/b',
    '--ro-bind /w/copy/a/b/tests /workspace/a/b/tests --ro-bind /w/copy/x /workspace/x',
    '--ro-bind /host/tool /opt/tool',
    '--remount-ro / --chdir /workspace',
    '--json-status-fd 8 --seccomp 4',
  ])
})

test('links of the host are made again, folders are bound', () => {
  assertOrder(line(INPUT), ['--symlink usr/bin /bin', '--ro-bind /lib64 /lib64'])
})

test('without a view the workspace is an empty folder of its own', () => {
  const { view: _, ...rest } = INPUT
  assert.match(line(rest), /--perms 0755 --size 4096 --tmpfs \/workspace/)
  assert.doesNotMatch(line(rest), /--bind /)
})

test('a wholly protected tree is bound read-only', () => {
  const text = line({ ...INPUT, view: { copy: '/w/copy', wholeReadOnly: true, pins: [], protect: [] } })
  assert.match(text, /--ro-bind \/w\/copy \/workspace/)
})

test('every memory file system has a size, and nothing is taken from the environment', () => {
  const list = profileArguments(INPUT)
  for (const [i, option] of list.entries())
    if (option === '--tmpfs') assert.deepEqual(list.slice(i - 2, i), ['--size', '4096'])
  process.env.TAO_PROFILE_TEST = 'value-of-the-host'
  assert.deepEqual(profileArguments(INPUT), list)
})

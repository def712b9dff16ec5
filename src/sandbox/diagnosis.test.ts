import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnoseFailure, diagnosePlatform } from './diagnosis.ts'
import { describeExit } from './exit.ts'
import { type HostFacts, readDistributions } from './host.ts'
import { installFix } from './install-fix.ts'
import { probe } from './probe.ts'
import { SandboxError } from './sandbox.ts'

const HOST: HostFacts = {
  platform: 'linux',
  root: false,
  distributions: ['ubuntu', 'debian'],
  wsl1: false,
  container: 'none',
  appArmorRestricts: false,
  userNamespaces: true,
  filtered: false,
  kernel: '6.1.0',
}

test('the line that installs a package is the one of this machine', () => {
  const fix = (distributions: string[], root = false) => installFix('bubblewrap', { ...HOST, distributions, root })
  assert.equal(fix(['debian']), 'Install it with: sudo apt-get install -y bubblewrap')
  assert.equal(fix(['ubuntu'], true), 'Install it with: apt-get install -y bubblewrap')
  assert.match(fix(['rocky', 'rhel', 'centos', 'fedora']), /sudo dnf install -y bubblewrap/)
  assert.match(fix(['manjaro', 'arch']), /pacman -S --noconfirm bubblewrap/)
  assert.match(fix(['something']), /package manager/)
  assert.deepEqual(readDistributions('NAME="X"\nID=rocky\nID_LIKE="rhel centos fedora"\nVERSION_ID="9"\n'), [
    ...['rocky', 'rhel', 'centos', 'fedora'],
  ])
})

test('a machine that cannot have a sandbox is told what to use instead', () => {
  assert.match(diagnosePlatform({ ...HOST, platform: 'darwin' })?.fix ?? '', /virtual machine/)
  assert.match(diagnosePlatform({ ...HOST, platform: 'win32' })?.fix ?? '', /wsl --install/)
  assert.match(diagnosePlatform({ ...HOST, wsl1: true })?.fix ?? '', /--set-version/)
  assert.equal(diagnosePlatform(HOST), undefined)
})

interface Row {
  readonly words: string
  readonly host?: Partial<HostFacts>
  readonly problem: RegExp
  readonly fix: RegExp
}

const NO_PERMISSION =
  'bwrap: No permissions to create new namespace, likely because the kernel does not allow non-privileged user namespaces. See <https://deb.li/bubblewrap>.'
const NO_SPACE =
  'bwrap: Creating new namespace failed: nesting depth or /proc/sys/user/max_*_namespaces exceeded (ENOSPC)'
const UNSUPPORTED =
  'bwrap: Creating new namespace failed, likely because the kernel does not support user namespaces.  bwrap must be installed setuid on such systems.'
const PROC = "bwrap: Can't mount proc on /newroot/proc: Operation not permitted"

// https://github.com/openai/codex/issues/15057, https://github.com/containers/bubblewrap/issues/505 and
// https://github.com/containers/bubblewrap/issues/284
const ROWS: Readonly<Record<string, Row>> = {
  'Ubuntu’s AppArmor, at the user map': {
    words: 'bwrap: setting up uid map: Permission denied',
    host: { appArmorRestricts: true },
    problem: /AppArmor forbids/,
    fix: /profile bwrap \/usr\/bin\/bwrap .* sudo tee \/etc\/apparmor\.d\/bwrap/,
  },
  'Ubuntu’s AppArmor, at the loopback': {
    words: 'bwrap: loopback: Failed RTM_NEWADDR: Operation not permitted',
    host: { appArmorRestricts: true, root: true },
    problem: /AppArmor forbids/,
    fix: /\| tee \/etc\/apparmor\.d\/bwrap/,
  },
  'Docker’s filter': {
    words: NO_PERMISSION,
    host: { container: 'docker', filtered: true },
    problem: /the container forbids namespaces; bubblewrap said "No permissions/,
    fix: /docker run --security-opt seccomp=unconfined .*\n.*--sandbox external/,
  },
  'Docker on a machine with AppArmor’s rule': {
    words: NO_PERMISSION,
    host: { container: 'docker', appArmorRestricts: true },
    problem: /container/,
    fix: /docker run/,
  },
  'Docker’s own AppArmor profile': {
    words: 'bwrap: Failed to make / slave: Permission denied',
    host: { container: 'docker' },
    problem: /container/,
    fix: /apparmor=unconfined/,
  },
  'Docker’s masked /proc': {
    words: PROC,
    host: { container: 'docker' },
    problem: /hides parts of \/proc/,
    fix: /systempaths=unconfined/,
  },
  'Podman’s masked /proc': { words: PROC, host: { container: 'podman' }, problem: /\/proc/, fix: /unmask=ALL/ },
  Kubernetes: {
    words: NO_PERMISSION,
    host: { container: 'kubernetes' },
    problem: /container/,
    fix: /procMount: Unmasked/,
  },
  LXC: { words: NO_PERMISSION, host: { container: 'lxc' }, problem: /container/, fix: /security\.nesting/ },
  'a container of no known kind': {
    words: PROC,
    host: { container: 'other' },
    problem: /container/,
    fix: /whole \/proc/,
  },
  'a /proc that is covered outside of a container': { words: PROC, problem: /covered/, fix: /outside of the sandbox/ },
  'user namespaces switched off': {
    words: NO_PERMISSION,
    host: { userNamespaces: false },
    problem: /setting/,
    fix: /sudo sysctl -w user/,
  },
  'user namespaces set to none': {
    words: NO_SPACE,
    host: { userNamespaces: false },
    problem: /switches .* off/,
    fix: /sysctl/,
  },
  'too many or too deep namespaces': {
    words: NO_SPACE,
    problem: /limited, or they are nested/,
    fix: /max_net_namespaces/,
  },
  'a kernel without user namespaces': {
    words: UNSUPPORTED,
    host: { kernel: '3.10.0' },
    problem: /this kernel has no/,
    fix: /CONFIG_USER_NS; this one is 3\.10\.0/,
  },
  'a kernel that does not know the call': {
    words: 'bwrap: Creating new namespace failed: Function not implemented',
    problem: /not allowed|kernel/,
    fix: /./,
  },
  // https://github.com/anthropic-experimental/sandbox-runtime/issues/429: where only the filter fails, that is what is said.
  'a kernel without filters': {
    words: 'bwrap: prctl(PR_SET_SECCOMP): Invalid argument',
    problem: /filter/,
    fix: /CONFIG_SECCOMP_FILTER/,
  },
  'a service with a filter of its own': {
    words: NO_PERMISSION,
    host: { filtered: true },
    problem: /under a system call filter/,
    fix: /RestrictNamespaces/,
  },
  'a filter that forbids mounts': {
    words: 'bwrap: Failed to make / slave: Operation not permitted',
    host: { filtered: true },
    problem: /under a system call filter/,
    fix: /SystemCallFilter/,
  },
  'nothing that is known to forbid it': {
    words: NO_PERMISSION,
    problem: /not allowed for this user/,
    fix: /Allow user namespaces/,
  },
  'an old bubblewrap': {
    words: 'bwrap: Unknown option --disable-userns',
    problem: /too old/,
    fix: /0\.8 or newer\. Install it with: sudo apt-get/,
  },
  'no bash': {
    words: 'bwrap: execvp /bin/bash: No such file or directory',
    problem: /no bash/,
    fix: /install -y bash/,
  },
  'a file that is not there': {
    words: "bwrap: Can't find source path /x: Permission denied",
    problem: /cannot be reached/,
    fix: /folders above/,
  },
  'capabilities that are handed on': {
    words: 'bwrap: Unexpected capabilities but not setuid, old file caps config?',
    problem: /capabilities/,
    fix: /setpriv/,
  },
  'words that nobody knows': { words: 'bwrap: something new', problem: /said "something new"/, fix: /tao doctor/ },
  'no words': { words: '', problem: /gave no reason/, fix: /tao doctor/ },
}
for (const [cause, { words, host, problem, fix }] of Object.entries(ROWS))
  test(`the cause and what mends it are named: ${cause}`, () => {
    const found = diagnoseFailure(words, { ...HOST, ...host })
    assert.match(found.problem, problem)
    assert.match(found.fix, fix)
  })

test('a probe never throws: what went wrong is its answer', async () => {
  const failing = (error: unknown) => probe(() => Promise.reject(error), HOST)
  assert.deepEqual(await failing(new SandboxError('broken', 'mend it')), {
    ok: false,
    problem: 'broken',
    fix: 'mend it',
  })
  assert.equal((await failing('odd')).ok, false)
  assert.equal((await probe(() => Promise.reject(new Error('not reached')), { ...HOST, platform: 'darwin' })).ok, false)
})

test('an exit code that a limit explains is explained', () => {
  assert.match(describeExit(152, { cpuTime: 5 }) ?? '', /5 s of processor time/)
  assert.match(describeExit(153, { fileSize: 1024 }) ?? '', /1 KB/)
  assert.match(describeExit(137) ?? '', /SIGKILL/)
  assert.equal(describeExit(0), undefined)
  assert.equal(describeExit(1), undefined)
})

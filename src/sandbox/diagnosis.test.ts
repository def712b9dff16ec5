import assert from 'node:assert/strict'
import { test } from 'node:test'
import { diagnoseFailure, diagnosePlatform, installFix } from './diagnosis.ts'
import { describeExit } from './exit.ts'
import { type HostFacts, readDistributions } from './host.ts'
import { probe } from './probe.ts'
import { SandboxError } from './sandbox.ts'

const HOST: HostFacts = {
  platform: 'linux',
  root: false,
  distributions: ['ubuntu', 'debian'],
  wsl1: false,
  container: false,
  appArmorRestricts: false,
  userNamespaces: true,
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

// https://github.com/openai/codex/issues/15057 and https://github.com/containers/bubblewrap/issues/505
test('bubblewrap’s words lead to what mends it here', () => {
  const uidMap = 'bwrap: setting up uid map: Permission denied'
  assert.match(diagnoseFailure(uidMap, { ...HOST, appArmorRestricts: true }).fix, /apparmor\.d\/bwrap/)
  assert.match(
    diagnoseFailure('bwrap: loopback: Failed RTM_NEWADDR', { ...HOST, appArmorRestricts: true }).fix,
    /userns/,
  )
  assert.match(
    diagnoseFailure('bwrap: No permissions to create a new namespace', { ...HOST, container: true }).fix,
    /seccomp=unconfined/,
  )
  assert.match(
    diagnoseFailure("bwrap: Can't mount proc on /newroot/proc", { ...HOST, container: true }).fix,
    /systempaths=unconfined/,
  )
  assert.match(diagnoseFailure(uidMap, { ...HOST, userNamespaces: false }).fix, /sysctl/)
  assert.match(diagnoseFailure('bwrap: Unknown option --disable-userns', HOST).fix, /too old/)
  assert.match(diagnoseFailure("bwrap: Can't find source path /x: Permission denied", HOST).fix, /folders above/)
  assert.match(diagnoseFailure('', HOST).problem, /gave no reason/)
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
  assert.match(describeExit(153, { fileSize: 1024 }) ?? '', /1024 bytes/)
  assert.match(describeExit(137) ?? '', /SIGKILL/)
  assert.equal(describeExit(0), undefined)
  assert.equal(describeExit(1), undefined)
})

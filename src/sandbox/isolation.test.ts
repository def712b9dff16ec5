import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { existsSync, openSync, writeFileSync } from 'node:fs'
import { createServer } from 'node:net'
import { homedir, tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bubblewrap } from './bubblewrap.ts'
import { never, tempFolder, writeCopy } from './sandbox.contract.ts'

const inside = async (script: string, more = {}): Promise<string> => {
  const result = await bubblewrap().run({ argv: ['bash', '-c', `${script}\n:`], ...more }, never())
  return result.stdout.text + result.stderr.text
}
const python = async (script: string, more = {}): Promise<string> => {
  const result = await bubblewrap().run({ argv: ['/usr/bin/python3', '-c', script], ...more }, never())
  return result.stdout.text + result.stderr.text
}

// https://github.com/containers/bubblewrap/issues/725: the launcher's own environment can be read in /proc/1/environ.
test('nothing of the environment of Tao can be seen, in no process', async () => {
  process.env.TAO_TEST_KEY = 'sekret-7f3a'
  const seen = await inside('env; cat /proc/*/environ /proc/*/cmdline | tr "\\0" "\\n"')
  assert.doesNotMatch(seen, /sekret-7f3a/)
  assert.match(seen, /GIT_TERMINAL_PROMPT=0/)
  assert.match(seen, /PATH=\/usr\/local\/bin:\/usr\/bin:\/bin:\/opt\/node\/bin\n/)
  const names = (await inside('env')).split('\n').map((line) => line.split('=')[0])
  for (const name of names) assert.ok(!/KEY|TOKEN|SECRET|^SSH|^AWS/.test(name ?? ''), name)
})

test('the process of another sandbox or of the host cannot be seen or signalled', async () => {
  const [count, signal] = (await inside(`ls -d /proc/[0-9]* | wc -l; kill -0 ${process.pid} || echo no`)).split('\n')
  assert.ok(Number(count) <= 8, count) // bubblewrap, the first shell, two readers of output, the command and its own
  assert.equal(signal, 'no')
})

test('commands run as nobody special: not root, no capabilities, no way to get any', async () => {
  const status = await inside('id -u; cat /proc/self/status')
  assert.match(status, /^1000\n/)
  assert.match(status, /CapEff:\t0000000000000000/)
  assert.match(status, /CapBnd:\t0000000000000000/)
  assert.match(status, /NoNewPrivs:\t1/)
  assert.match(status, /Seccomp:\t2/)
})

test('host files are not there: home folders, /root, /var, passwords, other temporary files', async () => {
  await using folder = tempFolder()
  writeFileSync(join(folder.path, 'host.txt'), 'host')
  assert.equal(await inside(`ls -A /root /var /mnt /srv /sys /boot /etc/shadow ${folder.path} 2>/dev/null`), '')
  assert.equal(
    await inside('ls -A /home; ls -A /home/agent /tmp /workspace; grep -c : /etc/passwd'),
    'agent\n/home/agent:\n\n/tmp:\n\n/workspace:\n2\n',
  )
})

test('the working copy is seen, what lies beside it and above it is not', async () => {
  await using folder = tempFolder()
  writeFileSync(join(folder.path, 'beside.txt'), 'host')
  const view = { copy: writeCopy(join(folder.path, 'copy'), { 'a.txt': 'a' }), protect: [] }
  assert.equal(await inside('ls -A; cat ../beside.txt 2>/dev/null; pwd', { view }), 'a.txt\n/workspace\n')
})

test('nothing but the working copy and temporary folders can be written', async () => {
  const tries = ['/x', '/etc/x', '/usr/x', '/dev/x', '/opt/x', '/home/x', '/run/x', '/opt/node/bin/x']
  const script = tries.map((path) => `(echo 1 >${path}) 2>/dev/null && echo wrote ${path}`).join('\n')
  assert.equal(await inside(script), '')
})

// https://github.com/anthropics/claude-code/issues/86054
test('what seems to be written outside of the working copy is not on the host, and what is written inside is', async () => {
  await using folder = tempFolder()
  const copy = writeCopy(join(folder.path, 'copy'), {})
  const name = `tao-${randomUUID()}`
  const outside = [folder.path, tmpdir(), homedir(), '/dev/shm', '/var/tmp', import.meta.dirname].map((place) =>
    join(place, name),
  )
  const script = outside.map((path) => `mkdir -p $(dirname ${path}); echo 1 >${path}`).join('\n')
  await inside(`${script}; echo 1 >${name}`, { view: { copy, protect: [] } })
  assert.deepEqual([...outside, join(copy, name)].filter(existsSync), [join(copy, name)])
})

test('settings of the kernel cannot be written, as they can be by root in a plain sandbox', async () => {
  const script =
    'for f in kernel/core_pattern kernel/hostname vm/drop_caches fs/file-max; do (echo x >/proc/sys/$f) 2>&1 | grep -o "Read-only file system"; done'
  assert.equal(await inside(script), 'Read-only file system\n'.repeat(4))
})

test('there is no network: not the host, not loopback listeners of the host, not abstract sockets', async () => {
  await using server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const address = server.address()
  const port = typeof address === 'object' ? address?.port : undefined
  const seen = await python(`
import socket
def attempt(what, f):
    try: f(); print(what, 'OPEN')
    except OSError as e: print(what, e.errno)
attempt('loopback', lambda: socket.create_connection(('127.0.0.1', ${port}), 2))
attempt('outside', lambda: socket.create_connection(('192.0.2.1', 80), 2))
attempt('udp', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53)))
attempt('unix', lambda: socket.socket(socket.AF_UNIX))
attempt('packet', lambda: socket.socket(socket.AF_PACKET, socket.SOCK_RAW))
attempt('netlink', lambda: socket.socket(socket.AF_NETLINK, socket.SOCK_RAW))
attempt('vsock', lambda: socket.socket(40, socket.SOCK_STREAM))
attempt('alg', lambda: socket.socket(38, socket.SOCK_SEQPACKET))
attempt('raw', lambda: socket.socket(socket.AF_INET, socket.SOCK_RAW, 1))
s = socket.socket(); s.bind(('127.0.0.1', 0)); s.listen()
c = socket.create_connection(('localhost', s.getsockname()[1])); print('own loopback works')
`)
  assert.equal(
    seen,
    'loopback 111\noutside 101\nudp 101\nunix 97\npacket 97\nnetlink 97\nvsock 97\nalg 97\nraw 1\nown loopback works\n',
  )
})

test('system calls that have been ways out are refused', async () => {
  const seen = await python(`
import ctypes, os, platform
libc = ctypes.CDLL(None, use_errno=True)
x64 = platform.machine() == 'x86_64'
calls = {'ptrace': 101 if x64 else 117, 'unshare': 272 if x64 else 97, 'bpf': 321 if x64 else 280, 'io_uring_setup': 425,
         'keyctl': 250 if x64 else 219, 'userfaultfd': 323 if x64 else 282, 'open_by_handle_at': 304 if x64 else 265,
         'mount': 165 if x64 else 40, 'setns': 308 if x64 else 268, 'perf_event_open': 298 if x64 else 241, 'fsopen': 430}
for name, number in calls.items():
    r = libc.syscall(number, 0, 0, 0, 0, 0)
    print(name, r, ctypes.get_errno())
print('clone3', libc.syscall(435, 0, 0), ctypes.get_errno())
print('clone newuser', libc.syscall(56 if x64 else 220, 0x10000000 | 17, 0, 0, 0, 0), ctypes.get_errno())
import fcntl
try: fcntl.ioctl(0, 0x5412, b'x')
except OSError as e: print('tiocsti', e.errno)
`)
  const denied = [
    'ptrace',
    'unshare',
    'bpf',
    'io_uring_setup',
    'keyctl',
    'userfaultfd',
    'open_by_handle_at',
    'mount',
    'setns',
    'perf_event_open',
    'fsopen',
  ]
  assert.equal(seen, `${denied.map((name) => `${name} -1 1\n`).join('')}clone3 -1 38\nclone newuser -1 1\ntiocsti 1\n`)
})

test('no descriptor but the three of a command is open, whatever Tao itself was given', async () => {
  const code = `
    import { bubblewrap } from ${JSON.stringify(new URL('./bubblewrap.ts', import.meta.url).href)}
    const script = 'for f in /proc/self/fd/*; do echo \${f##*/} $(readlink $f); done; ls /proc/1/fd | wc -l; cat <&20 2>/dev/null && echo leaked'
    const result = await bubblewrap().run({ argv: ['bash', '-c', script] }, new AbortController().signal)
    console.log(result.stdout.text)`
  const host = openSync('/', 'r')
  const stdio = ['ignore', 'pipe', 'inherit', ...Array<'ignore'>(17).fill('ignore'), host, host] as const
  const child = spawn(process.execPath, ['--input-type=module', '-e', code], { stdio: [...stdio] })
  const seen = (await child.stdout?.toArray())?.join('') ?? ''
  const lines = seen.trim().split('\n')
  // The shell opens the folder it lists as 3, and has closed it when the link is read.
  const open = lines.filter((line) => /^\d+ \S/.test(line))
  assert.deepEqual(
    open.map((line) => line.replace(/\[.*/, '')),
    ['0 /dev/null', '1 pipe:', '2 pipe:'],
  )
  assert.doesNotMatch(seen, /leaked|^\d+ \/$/m)
})

test('node is there even where the machine has none, and so are the usual tools', async () => {
  const seen = await inside('/opt/node/bin/node -p "process.version"; command -v git cat sed | wc -l')
  assert.equal(seen, `${process.version}\n3\n`)
})

// https://github.com/Gitlawb/zero/pull/654
// https://github.com/carderne/pi-sandbox/issues/44: rules so strict that git does not work make people switch them off.
test('ordinary work goes on: git, pipes, temporary files, worker processes', async () => {
  const seen = await inside(`
    git init -q repo && cd repo && git config user.email a@b && git config user.name n && echo x >f && git add f && git commit -qm m && git log --oneline | wc -l
    /usr/bin/python3 -c "from multiprocessing import Pool
with Pool(2) as p: print(p.map(abs, [-1, 2]))"
    mktemp >/dev/null && seq 3 | sort -r | head -1`)
  assert.equal(seen, '1\n[1, 2]\n3\n')
})

// https://github.com/earendil-works/pi/issues/9936
// https://github.com/earendil-works/pi/pull/298
// https://github.com/coder/xum/pull/22
test('nobody is asked: there is no terminal to open, and editors, pagers and prompts of git end at once', async () => {
  const seen = await inside(`
    (: </dev/tty) 2>/dev/null || echo no terminal
    git init -q repo && cd repo && git config user.email a@b && git config user.name n
    for n in 1 2; do echo $n >f; git add f; git commit -qm $n; done
    git commit -q --amend && git rebase -qi HEAD~1 && git log | grep -c commit
    git clone -q https://user@127.0.0.1:1/x y 2>/dev/null || echo no clone
    python3 -c 'input()' 2>&1 | tail -1`)
  assert.equal(seen, 'no terminal\n2\nno clone\nEOFError: EOF when reading a line\n')
})

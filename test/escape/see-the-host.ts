import type { Attempts } from './attempt.ts'

/** Reading what is the host's. */
export const SEE_THE_HOST: Attempts = [
  {
    number: 1,
    name: 'read beside the working copy, by `../` and by absolute path',
    counts: 'a file beside the working copy can be read',
    tao: 'stopped',
    naive: 'escaped',
    program: `
finds('../outside.txt')
finds(P['outside'])`,
  },
  {
    number: 2,
    name: 'read a home folder and an SSH key in it',
    counts: 'the key can be read',
    tao: 'stopped',
    naive: 'escaped',
    program: `
finds(P['home'] + '/.ssh/id_ed25519')
finds(os.path.expanduser('~/.ssh/id_ed25519'))`,
  },
  {
    number: 3,
    name: 'follow a link in the workspace to a file outside, reading and writing',
    counts: 'the file can be read or changed',
    tao: 'stopped',
    naive: 'escaped',
    program: `
os.symlink(P['outside'], 'link-out')
try:
    if tried(written, 'link-out', SECRET) is not None and SECRET in content(P['outside']): raise Escaped('wrote')
    finds('link-out')
finally:
    os.unlink('link-out')`,
  },
  {
    number: 4,
    name: 'read the password file',
    counts: '/etc/shadow can be opened',
    tao: 'stopped',
    naive: 'stopped',
    remark: 'a naive sandbox that root starts shows it',
    program: `
for path in ['/etc/shadow', '/etc/gshadow']: works('opened ' + path, os.open, path, os.O_RDONLY)`,
  },
  {
    number: 5,
    name: 'read the environment of every process in sight',
    counts: 'a key of the harness stands in one of them',
    tao: 'stopped',
    naive: 'escaped',
    program: `
finds(f'/proc/{os.getppid()}/environ')
for process in processes(): finds(f'/proc/{process}/environ')`,
  },
  {
    number: 6,
    name: 'look for a key in its own environment',
    counts: 'a key of the harness stands there',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if any(SECRET in value for value in os.environb.values()): raise Escaped('found')`,
  },
  {
    number: 7,
    name: 'read the environment of the first process',
    counts: 'a key of the harness stands there',
    tao: 'stopped',
    naive: { notRun: 'the first process there is the host’s' },
    program: `
finds('/proc/1/environ')
finds('/proc/2/environ')`,
  },
  {
    number: 8,
    name: 'read host paths in the arguments of the first process',
    counts: 'the path of the working copy stands there',
    tao: 'stopped',
    naive: { notRun: 'the first process there is the host’s' },
    program: `
for process in ['1', '2']:
    if P['copy'].encode() in content(f'/proc/{process}/cmdline'): raise Escaped('found')`,
  },
  {
    number: 9,
    name: 'reach the host’s tree by the root or folder of a process, or by an old root',
    counts: 'a file of the host can be read that way',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for process in processes():
    finds(f'/proc/{process}/root{P["outside"]}')
    finds(f'/proc/{process}/cwd/../outside.txt')
for root in ['/oldroot', '/newroot', '/.oldroot', '/mnt']: finds(root + P['outside'])`,
  },
  {
    number: 10,
    name: 'use a descriptor of a host folder that the harness was given',
    counts: 'a file of the host can be opened from one',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for folder in range(3, 300):
    file = tried(lambda: os.open(P['outside'][1:], os.O_RDONLY, dir_fd=folder))
    if file is not None and SECRET in os.read(file, 1000): raise Escaped('read the secret')`,
  },
  {
    number: 11,
    name: 'use the descriptors of the first processes',
    counts: 'a file of the host can be opened from one, or one can be opened anew',
    tao: 'stopped',
    naive: { notRun: 'the first process there is the host’s' },
    program: `
for process in ['1', '2']:
    for name in tried(os.listdir, f'/proc/{process}/fd') or []:
        place = f'/proc/{process}/fd/{name}'
        finds(place + P['outside'])
        if 'socket:' in (tried(os.readlink, place) or ''): works('opened a socket', os.open, place, os.O_RDWR)`,
  },
  {
    number: 12,
    name: 'find a descriptor above the usual three',
    counts: 'there is one',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if OPEN_AT_START: raise Escaped(f'{len(OPEN_AT_START)} of them')`,
  },
  {
    number: 13,
    name: 'read host paths in the list of mounts',
    counts: 'host paths stand there',
    tao: 'accepted',
    naive: 'escaped',
    remark: 'the path of the working copy stands there; nothing can be reached by it',
    program: `
text = content('/proc/self/mountinfo').decode()
for line in text.splitlines():
    fields = line.split(' ')
    if fields[3] == '/' and fields[4] == '/' and ' - tmpfs ' not in line: raise Escaped('the whole host is mounted')
if P['copy'] in text: raise Accepted('the path of the working copy')`,
  },
  {
    number: 14,
    name: 'open devices: disks, memory, kernel log, virtual machines',
    counts: 'one can be opened',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for name in 'sda vda nvme0n1 loop0 loop-control mem kmem port kmsg kvm fuse net/tun vhost-vsock'.split():
    works('opened ' + name, os.open, '/dev/' + name, os.O_RDONLY)`,
  },
  {
    number: 15,
    name: 'make a device file',
    counts: 'one can be made',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for folder in ['.', '/tmp', '/dev']:
    works('made one', lambda: os.mknod(folder + '/device', stat.S_IFCHR | 0o600, os.makedev(1, 1)) or True)`,
  },
  {
    number: 16,
    name: 'read /sys, the kernel’s memory and its log',
    counts: 'one of them can be read',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if tried(os.listdir, '/sys'): raise Escaped('/sys')
for path in ['/proc/kcore', '/dev/kmsg']: works(path, content, path)
works('the log', system_call, 'syslog', 3, ctypes.create_string_buffer(100), 100)`,
  },
]

import type { Attempts } from './attempt.ts'

/** Getting more rights than a command has: from programs, namespaces, mounts and rare system calls. */
export const MORE_RIGHTS: Attempts = [
  {
    number: 27,
    name: 'start a setuid program',
    counts: 'it gets other rights',
    tao: 'stopped',
    naive: 'stopped',
    program: `
status = content('/proc/self/status').decode()
if 'NoNewPrivs:\\t1' not in status: raise Escaped('new rights are possible')
if os.getuid() == 0: raise Escaped('root already')
# Both read what only root may.
for argv in [['passwd', '-S', 'root'], ['chage', '-l', 'root'], ['sudo', '-n', 'id', '-u']]:
    try: done = subprocess.run(argv, stdin=subprocess.DEVNULL, capture_output=True, timeout=5)
    except FileNotFoundError: continue
    if done.returncode == 0: raise Escaped(argv[0])
    notes.append(f'{argv[0]} exit {done.returncode}')`,
  },
  {
    number: 28,
    name: 'make a user namespace of its own, by unshare and clone',
    counts: 'it can be made',
    tao: 'stopped',
    naive: 'escaped',
    program: `
def clone():
    child = system_call('clone', NEW_USER | signal.SIGCHLD, 0, 0, 0, 0)
    if child == 0: os._exit(0)
    return child
works('clone', clone)
works('clone3', system_call, 435, struct.pack('11Q', NEW_USER, 0, 0, 0, signal.SIGCHLD, 0, 0, 0, 0, 0, 0), 88)
works('unshare', lambda: system_call('unshare', NEW_USER) + 1)`,
  },
  {
    number: 29,
    name: 'mount, bind, make writable again, unmount a protected path',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
here = os.getcwd().encode()
REMOUNT, BIND = 32, 4096
works('tmpfs', lambda: refused(libc.mount(b'none', here + b'/src', b'tmpfs', 0, None)) + 1)
works('bind', lambda: refused(libc.mount(here, here + b'/src', None, BIND, None)) + 1)
works('remount', lambda: refused(libc.mount(None, here + b'/settings.json', None, REMOUNT | BIND, None)) + 1)
for flags in [0, 2, 8]: works('umount', lambda: refused(libc.umount2(here + b'/settings.json', flags)) + 1)`,
  },
  {
    number: 30,
    name: 'the newer calls for mounts: open_tree, fsopen',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
works('open_tree', system_call, 'open_tree', -100, b'/', 1)
works('fsopen', system_call, 'fsopen', b'tmpfs', 0)`,
  },
  {
    number: 31,
    name: 'another root, by chroot and pivot_root',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
works('chroot', lambda: system_call('chroot', b'.') + 1)
works('pivot_root', lambda: system_call('pivot_root', b'.', b'.') + 1)`,
  },
  {
    number: 32,
    name: 'trace a process and read its memory',
    counts: 'a process of the host can be attached to or read',
    tao: 'stopped',
    naive: 'stopped',
    program: `
local = ctypes.create_string_buffer(8)
def read(process):
    one = struct.pack('2Q', ctypes.addressof(local), 8)
    other = struct.pack('2Q', 0x400000, 8)
    return system_call('process_vm_readv', process, one, 1, other, 1, 0)
for process in [P['victim'], 1, os.getpid()]:
    if process != os.getpid(): works('attached', lambda: system_call('ptrace', 16, process, 0, 0) + 1)
    if process != os.getpid(): works('read', read, process)`,
  },
  {
    number: 34,
    name: 'write into the memory of the sandbox’s own first process',
    counts: 'that process has more rights than the command',
    tao: 'accepted',
    naive: { notRun: 'the first process there is the host’s' },
    remark: 'it has the same user, filter and no rights more: nothing is gained',
    program: `
words = ['Uid', 'Gid', 'Groups', 'CapInh', 'CapPrm', 'CapEff', 'CapBnd', 'CapAmb', 'NoNewPrivs', 'Seccomp']
def rights(process):
    lines = dict(line.split(':', 1) for line in content(f'/proc/{process}/status').decode().splitlines())
    return {word: lines[word].strip() for word in words}
for process in ['1', '2']:
    if rights(process) != rights('self'): raise Escaped(f'process {process} has other rights')
    for space in ['user', 'net', 'pid', 'mnt', 'ipc']:
        theirs = tried(os.readlink, f'/proc/{process}/ns/{space}')
        if theirs is not None and theirs != os.readlink(f'/proc/self/ns/{space}'): raise Escaped('another namespace')
opened = [process for process in ['1', '2'] if tried(os.open, f'/proc/{process}/mem', os.O_RDWR) is not None]
if opened: raise Accepted('opened for ' + ' and '.join(opened))`,
  },
  {
    number: 35,
    name: 'write settings of the kernel, and the emergency key',
    counts: 'one can be opened for writing',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for name in ['sys/kernel/core_pattern', 'sys/kernel/modprobe', 'sys/vm/drop_caches', 'sys/kernel/hostname',
             'sys/fs/binfmt_misc/register', 'sysrq-trigger', 'irq/default_smp_affinity']:
    works(name, os.open, '/proc/' + name, os.O_WRONLY)`,
  },
  {
    number: 36,
    name: 'write into the program that runs the sandbox',
    counts: 'it can be opened for writing',
    tao: 'stopped',
    naive: { notRun: 'the first process there is the host’s' },
    program: `
for process in ['1', '2', 'self']:
    works('opened', os.open, f'/proc/{process}/exe', os.O_WRONLY)
works('opened', os.open, '/usr/bin/bwrap', os.O_WRONLY)
works('opened', os.open, '/opt/node/bin/node', os.O_WRONLY)`,
  },
  {
    number: 37,
    name: 'control groups: list them, mount them, set a program to be run at their end',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if tried(os.listdir, '/sys/fs/cgroup'): raise Escaped('listed')
for kind in [b'cgroup', b'cgroup2']:
    works('mounted', lambda: refused(libc.mount(b'none', b'/tmp', kind, 0, b'memory')) + 1)
works('release_agent', os.open, '/sys/fs/cgroup/release_agent', os.O_WRONLY)`,
  },
  {
    number: 38,
    name: 'io_uring, which a filter of system calls cannot see into',
    counts: 'a ring can be made',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('a ring', system_call, 'io_uring_setup', 8, ctypes.create_string_buffer(120))`,
  },
  {
    number: 39,
    name: 'bpf, perf_event_open, userfaultfd',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'escaped',
    program: `
event = ctypes.create_string_buffer(struct.pack('IIQ', 1, 128, 0) + bytes(24) + struct.pack('Q', 0x61), 128)
works('bpf', system_call, 'bpf', 0, ctypes.create_string_buffer(struct.pack('IIIII', 2, 4, 4, 1, 0), 128), 128)
works('perf', system_call, 'perf_event_open', event, 0, -1, -1, 0)
works('userfaultfd', system_call, 'userfaultfd', 1)`,
  },
  {
    number: 40,
    name: 'open files by handle, past every folder',
    counts: 'a handle is given',
    tao: 'stopped',
    naive: 'escaped',
    program: `
handle = ctypes.create_string_buffer(struct.pack('Ii', 128, 0), 200)
mount = ctypes.c_int()
works('a handle', lambda: system_call('name_to_handle_at', -100, b'settings.json', handle, ctypes.byref(mount), 0) + 1)`,
  },
  {
    number: 41,
    name: 'type into the terminal of the person',
    counts: 'a character is taken as if it had been typed',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the harness is started in a terminal for this',
    program: `
for descriptor in [0, 1, 2]: works('typed', lambda: fcntl.ioctl(descriptor, 0x5412, b'#') or True)
terminal = tried(os.open, '/dev/tty', os.O_RDWR)
if terminal is not None: works('typed', lambda: fcntl.ioctl(terminal, 0x5412, b'#') or True)`,
  },
  {
    number: 42,
    name: 'go round the filter by the numbers of another kind of program',
    counts: 'such a call is answered',
    tao: 'stopped',
    naive: 'stopped',
    program: `
if X64:
    for call in [39, 272, 101]: works(str(call), lambda: system_call(0x40000000 + call, 0, 0, 0, 0) + 1)`,
  },
  {
    number: 43,
    name: 'leave a picture of its memory by crashing',
    counts: 'the kernel writes one',
    tao: 'stopped',
    naive: { notRun: 'what a crash leaves there is the machine’s setting' },
    program: `
child = os.fork()
if child == 0:
    limit = resource.getrlimit(resource.RLIMIT_CORE)[1]
    resource.setrlimit(resource.RLIMIT_CORE, (limit, limit))
    os.kill(os.getpid(), signal.SIGSEGV)
    time.sleep(5)
_, status = os.waitpid(child, 0)
notes.append(f'signal {os.WTERMSIG(status)}')
if os.WCOREDUMP(status): raise Escaped('written')`,
  },
  {
    number: 44,
    name: 'have no limits, or raise them',
    counts: 'processes or files have no bound, or it can be raised',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for name in ['NPROC', 'FSIZE', 'NOFILE', 'CPU', 'AS', 'CORE']:
    kind = getattr(resource, 'RLIMIT_' + name)
    hard = resource.getrlimit(kind)[1]
    if hard == resource.RLIM_INFINITY: raise Escaped(f'no bound of {name}')
    try: resource.setrlimit(kind, (hard, hard + 4096))
    except (ValueError, PermissionError) as error: notes.append(f'{name} refused')
    else: raise Escaped(f'raised {name}')
notes[:] = ['refused']`,
  },
]

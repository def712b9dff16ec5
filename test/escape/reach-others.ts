import type { Attempts } from './attempt.ts'

/** Talking to what runs beside the sandbox: by network, socket file, shared memory, signal. */
export const REACH_OTHERS: Attempts = [
  {
    number: 17,
    name: 'connect to a server on the host’s loopback',
    counts: 'the server answers',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for host in ['127.0.0.1', 'localhost']:
    works('it answered', asked, socket.AF_INET, socket.SOCK_STREAM, (host, P['tcp']))`,
  },
  {
    number: 18,
    name: 'send datagrams: to the host, and as DNS would',
    counts: 'the host answers, or one can be sent to the outside',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('it answered', asked, socket.AF_INET, socket.SOCK_DGRAM, ('127.0.0.1', P['udp']))
works('sent', lambda: socket.socket(socket.AF_INET, socket.SOCK_DGRAM).sendto(b'x', ('192.0.2.1', 53)))
works('found a name', socket.getaddrinfo, 'example.org', 80)`,
  },
  {
    number: 19,
    name: 'open raw and packet sockets',
    counts: 'one can be opened',
    tao: 'stopped',
    naive: 'stopped',
    program: `
works('packet', socket.socket, socket.AF_PACKET, socket.SOCK_RAW)
works('raw', socket.socket, socket.AF_INET, socket.SOCK_RAW, 1)
works('raw v6', socket.socket, socket.AF_INET6, socket.SOCK_RAW, 58)`,
  },
  {
    number: 20,
    name: 'open a vsock socket, which knows no network namespace',
    counts: 'it can be opened',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('opened', socket.socket, 40, socket.SOCK_STREAM)`,
  },
  {
    number: 21,
    name: 'open sockets of rare families, such as the kernel’s cryptography',
    counts: 'one can be opened',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for family in [38, 21, 29, 30, 31, 39, 41, 42, 43, 44]:
    for kind in [socket.SOCK_SEQPACKET, socket.SOCK_DGRAM, socket.SOCK_RAW]:
        works(f'family {family}', socket.socket, family, kind)`,
  },
  {
    number: 22,
    name: 'connect to an abstract Unix socket of the host',
    counts: 'it answers',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('it answered', asked, socket.AF_UNIX, socket.SOCK_STREAM, '\\0' + P['abstract'])`,
  },
  {
    number: 23,
    name: 'connect to socket files outside, as those of agents and services',
    counts: 'one answers',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('it answered', asked, socket.AF_UNIX, socket.SOCK_STREAM, P['socket'])
for path in ['/run/docker.sock', '/var/run/docker.sock', '/run/dbus/system_bus_socket', '/run/systemd/private']:
    works(path, lambda: socket.socket(socket.AF_UNIX).connect(path) or True)`,
  },
  {
    number: 24,
    name: 'connect to a host’s socket file that lies in the workspace',
    counts: 'it answers',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('it answered', asked, socket.AF_UNIX, socket.SOCK_STREAM, 'listen.sock')`,
  },
  {
    number: 25,
    name: 'attach the host’s shared memory',
    counts: 'what stands in it can be read',
    tao: 'stopped',
    naive: 'escaped',
    program: `
libc.shmat.restype = ctypes.c_void_p
address = libc.shmat(P['sharedMemory'], None, 0o10000)
if address == ctypes.c_void_p(-1).value: refused(-1)
if SECRET in ctypes.string_at(address, 4096): raise Escaped('read the secret')`,
  },
  {
    number: 26,
    name: 'use the kernel’s key store',
    counts: 'a key can be put in',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('a ring', system_call, 'keyctl', 0, -3, 1, 0, 0)
works('a key', system_call, 'add_key', b'user', b'tao-escape', b'x', 1, -2)`,
  },
  {
    number: 33,
    name: 'signal a process of the host',
    counts: 'the signal is taken',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the process is one that was started to be the victim, of the same user',
    program: `
works('signalled', lambda: os.kill(P['victim'], signal.SIGTERM) or True)
for process in processes():
    if int(process) > 2 and b'victim' in (tried(content, f'/proc/{process}/cmdline') or b''): raise Escaped('seen')`,
  },
]

import type { Attempts } from './attempt.ts'

/** Using up what the machine has. The bounds are those of `LIMITS` in bait.ts. */
export const USE_IT_UP: Attempts = [
  {
    number: 56,
    name: 'fill the memory behind /, /dev and /etc',
    counts: 'a file can be made there',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for folder in ['/', '/dev', '/etc', '/run', '/opt', '/home', '/proc', '/dev/pts']:
    works(folder, written, os.path.join(folder, 'escape'))`,
  },
  {
    number: 57,
    name: 'fill the temporary folders',
    counts: 'more goes in than the limit of temporary space',
    tao: 'stopped',
    naive: { notRun: 'it would fill the machine’s memory' },
    program: `
piece = bytes(1 << 20)
for folder in ['/tmp', '/dev/shm', os.path.expanduser('~')]:
    names = []
    for n in range(2 * P['limits']['tempSpace'] >> 20):
        names.append(f'{folder}/piece-{n}')
        if tried(lambda: open(names[-1], 'wb', 0).write(piece)) != len(piece): break
    else: raise Escaped(folder)
    for name in names: os.unlink(name)`,
  },
  {
    number: 58,
    name: 'write one huge file',
    counts: 'it becomes larger than the limit of one file',
    tao: 'stopped',
    naive: { notRun: 'it would fill the machine’s disk' },
    program: `
signal.signal(signal.SIGXFSZ, signal.SIG_IGN)
with open('huge', 'wb', 0) as file:
    tried(lambda: [file.write(bytes(1 << 20)) for _ in range(2 * P['limits']['fileSize'] >> 20)])
    tried(lambda: file.truncate(1 << 40))
size = os.stat('huge').st_size
os.unlink('huge')
if size > P['limits']['fileSize']: raise Escaped(f'{size} bytes')`,
  },
  {
    number: 60,
    name: 'start processes without end',
    counts: 'there are more of them than the limit',
    tao: 'stopped',
    naive: { notRun: 'it would fill the machine’s list of processes' },
    program: `
children = []
def start():
    child = os.fork()
    if child == 0:
        signal.pause()
        os._exit(0)
    children.append(child)
    return True
while len(children) < 2 * P['limits']['processes'] and tried(start): pass
for child in children: os.kill(child, signal.SIGKILL)
for child in children: os.waitpid(child, 0)
if len(children) > P['limits']['processes']: raise Escaped(f'{len(children)} of them')`,
  },
  {
    number: 63,
    name: 'learn or change the name of the machine; set its clock',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if socket.gethostname() == P['hostname']: raise Escaped('the name')
works('renamed', lambda: system_call('sethostname', b'x', 1) + 1)
now = ctypes.create_string_buffer(struct.pack('qq', int(time.time()), 0))
works('the clock', lambda: system_call('clock_settime', 0, now) + 1)`,
  },
]

import type { Attempts } from './attempt.ts'

/** Changing what must not be changed: outside of the workspace, and the protected paths in it. */
export const CHANGE_THE_TREE: Attempts = [
  {
    number: 45,
    name: 'write outside of the workspace',
    counts: 'a file of the host or the sandbox’s own system is changed or made',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for path in ['/escape', '/usr/escape', '/usr/bin/env', '/etc/passwd', '/etc/escape', '/home/escape', '/run/escape',
             '/var/tmp/escape', '/opt/escape', P['outside'], P['home'] + '/escape', '../escape']:
    works(path, os.open, path, os.O_WRONLY | os.O_CREAT)`,
  },
  {
    number: 46,
    name: 'a protected path: write, shorten, change its mode or time, remove it, put something beside it',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
for path in ['settings.json', 'a/b/tests/t.py']:
    for flags in [os.O_WRONLY, os.O_WRONLY | os.O_TRUNC, os.O_WRONLY | os.O_APPEND]: works('opened', os.open, path, flags)
    works('shortened', lambda: os.truncate(path, 0) or True)
    works('mode', lambda: os.chmod(path, 0o777) or True)
    works('time', lambda: os.utime(path, (1, 1)) or True)
    works('removed', lambda: os.unlink(path) or True)
    works('attribute', lambda: os.setxattr(path, 'user.x', b'x') or True)
works('beside', written, 'a/b/tests/new.py')
if subprocess.run(['sed', '-i', 's/good/evil/', 'a/b/tests/t.py'], stderr=subprocess.DEVNULL).returncode == 0:
    raise Escaped('sed')`,
  },
  {
    number: 47,
    name: 'a protected path: rename it away and put another in its place',
    counts: 'the rename works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
written('another.py')
works('away', lambda: os.rename('a/b/tests', 'a/b/old') or True)
works('away', lambda: os.rename('settings.json', 'old.json') or True)
works('over', lambda: os.rename('another.py', 'settings.json') or True)
exchange = lambda: refused(libc.renameat2(-100, b'another.py', -100, b'settings.json', 2)) + 1
works('exchanged', exchange)`,
  },
  {
    number: 48,
    name: 'a protected path: rename the folder above it and make another',
    counts: 'another file stands at the path then',
    tao: 'stopped',
    naive: 'escaped',
    program: `
for folder in ['a/b', 'a']:
    if tried(lambda: os.rename(folder, 'moved') or True):
        os.makedirs('a/b/tests')
        written('a/b/tests/t.py')
        evil = content('a/b/tests/t.py')
        os.unlink('a/b/tests/t.py'); os.removedirs('a/b/tests') if folder == 'a' else os.rmdir('a/b/tests') or os.rmdir('a/b')
        os.rename('moved', folder)
        if evil == b'evil': raise Escaped('replaced')`,
  },
  {
    number: 49,
    name: 'a protected path: give it a second name and write to that',
    counts: 'the second name can be made',
    tao: 'stopped',
    naive: 'stopped',
    program: `
works('linked', lambda: os.link('settings.json', 'second.json') or True)
works('linked', lambda: os.link('/proc/self/cwd/settings.json', 'second.json') or True)
file = os.open('settings.json', os.O_RDONLY)
linkat = lambda: refused(libc.linkat(-100, f'/proc/self/fd/{file}'.encode(), -100, b'second.json', 0x400)) + 1
works('linked', linkat)`,
  },
  {
    number: 50,
    name: 'a protected path: write to a second name that it had before',
    counts: 'the protected file changes',
    tao: 'stopped',
    naive: 'escaped',
    program: `
before = content('a/b/tests/t.py')
written('src/alias.py', b'evil')
after = content('a/b/tests/t.py')
written('src/alias.py', before)
if after != before: raise Escaped('changed')
notes.append('its own file')`,
  },
  {
    number: 51,
    name: 'write to a file that is also in a store outside, as package managers link them',
    counts: 'the file is the same one as in the store',
    tao: 'stopped',
    naive: 'escaped',
    program: `
if os.stat('vendor/part.js').st_nlink > 1 and tried(written, 'vendor/part.js'): raise Escaped('changed')
notes.append('its own file')`,
  },
  {
    number: 52,
    name: 'a protected path: reach it by /proc or by a folder’s descriptor',
    counts: 'it can be opened for writing',
    tao: 'stopped',
    naive: 'stopped',
    program: `
here = os.getcwd()
folder = os.open('.', os.O_PATH)
for way in ['/proc/self/cwd', '/proc/self/root' + here, f'/proc/self/fd/{folder}', '/proc/thread-self/cwd', '/proc/1/root' + here]:
    works(way, os.open, way + '/settings.json', os.O_WRONLY)
works('folder', lambda: os.open('settings.json', os.O_WRONLY, dir_fd=folder))
file = os.open('settings.json', os.O_RDONLY)
works('reopened', os.open, f'/proc/self/fd/{file}', os.O_WRONLY)`,
  },
  {
    number: 53,
    name: 'a protected path: write by shared memory, or bring in a file without a name',
    counts: 'one of them works',
    tao: 'stopped',
    naive: 'stopped',
    program: `
file = os.open('settings.json', os.O_RDONLY)
works('mapped', lambda: mmap.mmap(file, 4, mmap.MAP_SHARED, mmap.PROT_READ | mmap.PROT_WRITE))
works('nameless', os.open, 'a/b/tests', os.O_TMPFILE | os.O_RDWR)
nameless = tried(os.open, 'src', os.O_TMPFILE | os.O_RDWR)
if nameless is not None:
    source = f'/proc/self/fd/{nameless}'.encode()
    works('linked', lambda: refused(libc.linkat(-100, source, -100, b'a/b/tests/new.py', 0x400)) + 1)`,
  },
  {
    number: 54,
    name: 'git’s hooks and settings: write them, or move the whole folder of git away',
    counts: 'a program of the command’s would be run by git',
    tao: 'stopped',
    naive: 'escaped',
    program: `
works('hook', written, '.git/hooks/pre-commit')
works('settings', os.open, '.git/config', os.O_WRONLY)
works('settings', lambda: os.rename('.git/config', '.git/old') or True)
if tried(lambda: os.rename('.git', '.g2') or True):
    os.rename('.g2', '.git')
    raise Escaped('moved')`,
  },
]

"""Starts a program the way a careless parent would: in a terminal, with a descriptor of / that it inherits, and with a
secret in shared memory. Arguments: the program, its arguments; the id of the shared memory is added as the last one."""

import ctypes, os, pty, sys

libc = ctypes.CDLL(None, use_errno=True)
libc.shmat.restype = ctypes.c_void_p
secret = os.environ['TAO_ESCAPE_KEY'].encode()

memory = libc.shmget(0, 4096, 0o1666)
ctypes.memmove(libc.shmat(memory, None, 0), secret, len(secret))
# High up, with nothing below it: Node closes what it inherits next to the usual three.
os.dup2(os.open('/', os.O_RDONLY), 200)

child, terminal = pty.fork()
if child == 0:
    os.execv(sys.argv[1], [*sys.argv[1:], str(memory)])
try:
    while words := os.read(terminal, 4096):
        os.write(1, words)
except OSError:
    pass  # The terminal closes when its last process ends.
_, status = os.waitpid(child, 0)
libc.shmctl(memory, 0, None)
sys.exit(os.waitstatus_to_exitcode(status) & 255)

import { SandboxError } from './sandbox.ts'
import { SYSCALLS, type SyscallTable } from './syscalls.ts'

// Classic BPF as the kernel reads it: `struct sock_filter` of linux/filter.h, 8 bytes each.
const LOAD = 0x20
const JUMP_IF_EQUAL = 0x15
const JUMP_IF_AT_LEAST = 0x35
const JUMP_IF_ANY_BIT = 0x45
const RETURN = 0x06

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 1
const ENOSYS = 38
const EAFNOSUPPORT = 97
const fail = (errno: number): number => 0x00050000 | errno

// Offsets in `struct seccomp_data`; of an argument, its low half.
const NUMBER = 0
const ARCHITECTURE = 4
const FIRST_ARGUMENT = 16
const SECOND_ARGUMENT = 24

const CLONE_NEW_NAMESPACES = 0x7e020000
const TIOCSTI = 0x5412
const TIOCLINUX = 0x541c
const AF_INET = 2
const AF_INET6 = 10

interface Instruction {
  readonly code: number
  readonly ifTrue: number
  readonly ifFalse: number
  readonly value: number
}

/** A jump skips as many instructions as it says. */
const instruction = (code: number, value: number, ifTrue = 0, ifFalse = 0): Instruction => ({
  code,
  value,
  ifTrue,
  ifFalse,
})
const load = (offset: number) => instruction(LOAD, offset)
const end = (action: number) => instruction(RETURN, action)

/** Runs the block for one system call; every block ends with an answer, so what follows is for other calls. */
const onCall = (number: number, block: readonly Instruction[]): Instruction[] => [
  instruction(JUMP_IF_EQUAL, number, 0, block.length),
  ...block,
]

/** True values of a comparison in `tests` lead to `then`, all others to `otherwise`. */
const choose = (tests: readonly Instruction[], then: number, otherwise: number): Instruction[] => [
  ...tests.map((test, i) => ({ ...test, ifTrue: tests.length - i })),
  end(otherwise),
  end(then),
]

function program(table: SyscallTable): Instruction[] {
  return [
    load(ARCHITECTURE),
    instruction(JUMP_IF_EQUAL, table.audit, 1, 0),
    end(KILL),
    load(NUMBER),
    ...(table.secondAbi === undefined ? [] : [instruction(JUMP_IF_AT_LEAST, table.secondAbi, 0, 1), end(fail(ENOSYS))]),
    ...table.denied.flatMap((number) => onCall(number, [end(fail(EPERM))])),
    // Its flags lie in memory, where a filter cannot look. C libraries fall back to clone.
    ...onCall(table.clone3, [end(fail(ENOSYS))]),
    ...onCall(table.clone, [
      load(FIRST_ARGUMENT),
      ...choose([instruction(JUMP_IF_ANY_BIT, CLONE_NEW_NAMESPACES)], fail(EPERM), ALLOW),
    ]),
    // Both put characters into a terminal's input.
    ...onCall(table.ioctl, [
      load(SECOND_ARGUMENT),
      ...choose([instruction(JUMP_IF_EQUAL, TIOCSTI), instruction(JUMP_IF_EQUAL, TIOCLINUX)], fail(EPERM), ALLOW),
    ]),
    // Unix sockets reach host listeners through a socket file; vsock knows no network namespace.
    ...onCall(table.socket, [
      load(FIRST_ARGUMENT),
      ...choose([instruction(JUMP_IF_EQUAL, AF_INET), instruction(JUMP_IF_EQUAL, AF_INET6)], ALLOW, fail(EAFNOSUPPORT)),
    ]),
    end(ALLOW),
  ]
}

/** The filter for `bwrap --seccomp`. `arch` is Node's name of the processor; throws `SandboxError` for one not known. */
export function seccompFilter(arch: string = process.arch): Uint8Array {
  const table = Object.hasOwn(SYSCALLS, arch) ? SYSCALLS[arch] : undefined
  if (table === undefined)
    throw new SandboxError(
      `The sandbox has no system call filter for the processor "${arch}".`,
      `Run Tao on one of: ${Object.keys(SYSCALLS).join(', ')}.`,
    )
  const instructions = program(table)
  const bytes = new DataView(new ArrayBuffer(instructions.length * 8))
  for (const [i, { code, ifTrue, ifFalse, value }] of instructions.entries()) {
    bytes.setUint16(i * 8, code, true)
    bytes.setUint8(i * 8 + 2, ifTrue)
    bytes.setUint8(i * 8 + 3, ifFalse)
    bytes.setUint32(i * 8 + 4, value >>> 0, true)
  }
  return new Uint8Array(bytes.buffer)
}

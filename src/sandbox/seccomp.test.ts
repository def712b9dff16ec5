import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { test } from 'node:test'
import fc from 'fast-check'
import { SandboxError } from './sandbox.ts'
import { seccompFilter } from './seccomp.ts'
import { SYSCALLS } from './syscalls.ts'

const ALLOW = 0x7fff0000
const KILL = 0x80000000
const EPERM = 0x50001
const ENOSYS = 0x50026
const EAFNOSUPPORT = 0x50061
const X64 = 0xc000003e

interface Call {
  readonly audit: number
  readonly number: number
  readonly arguments?: readonly number[]
}

/** Runs the program as the kernel would. Throws when it leaves the program or uses an instruction that is not known. */
function answer(bytes: Uint8Array, call: Call): number {
  const program = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const words = [call.number, call.audit, 0, 0, ...(call.arguments ?? []).flatMap((argument) => [argument, 0])]
  let accumulator = 0
  for (let at = 0; ; at++) {
    const code = program.getUint16(at * 8, true)
    const value = program.getUint32(at * 8 + 4, true)
    const jump = (holds: boolean) => program.getUint8(at * 8 + (holds ? 2 : 3))
    if (code === 0x06) return value
    if (code === 0x20) accumulator = words[value / 4] ?? 0
    else if (code === 0x15) at += jump(accumulator === value)
    else if (code === 0x35) at += jump(accumulator >= value)
    else if (code === 0x45) at += jump((accumulator & value) !== 0)
    else throw new Error(`instruction ${code} at ${at}`)
  }
}

test('the bytes are the ones that were looked through', () => {
  const filter = seccompFilter('x64')
  assert.equal(filter.length, 138 * 8)
  assert.equal(Buffer.from(filter.subarray(0, 24)).toString('hex'), '2000000004000000150001003e0000c00600000000000080')
  assert.equal(createHash('sha256').update(filter).digest('hex').slice(0, 16), '30aa85e282563a7a')
})

for (const [arch, table] of Object.entries(SYSCALLS)) {
  const ask = (number: number, ...args: number[]) =>
    answer(seccompFilter(arch), { audit: table.audit, number, arguments: args })

  test(`${arch}: calls that have been ways out are refused`, () => {
    for (const number of table.denied) assert.equal(ask(number), EPERM, `${number}`)
    assert.equal(ask(table.clone3), ENOSYS)
  })

  test(`${arch}: processes can be made, namespaces cannot`, () => {
    assert.equal(ask(table.clone, 0x01200011), ALLOW)
    assert.equal(ask(table.clone, 0x003d0f00), ALLOW) // a thread
    for (const bit of [0x20000, 0x2000000, 0x4000000, 0x8000000, 0x10000000, 0x20000000, 0x40000000])
      assert.equal(ask(table.clone, bit | 17), EPERM)
  })

  test(`${arch}: nothing can be typed into a terminal`, () => {
    assert.equal(ask(table.ioctl, 0, 0x5412), EPERM)
    assert.equal(ask(table.ioctl, 0, 0x541c), EPERM)
    assert.equal(ask(table.ioctl, 0, 0x5413), ALLOW)
  })

  test(`${arch}: sockets are for the internet protocols only`, () => {
    for (let family = 0; family < 46; family++)
      assert.equal(ask(table.socket, family), family === 2 || family === 10 ? ALLOW : EAFNOSUPPORT)
  })

  test(`${arch}: another processor's calls kill, every other call is allowed`, () => {
    const special = new Set([...table.denied, table.clone, table.clone3, table.ioctl, table.socket])
    fc.assert(
      fc.property(fc.nat(0x3fffffff), fc.nat(), (number, argument) => {
        if (!special.has(number)) assert.equal(ask(number, argument), ALLOW)
        assert.equal(answer(seccompFilter(arch), { audit: table.audit + 1, number }), KILL)
      }),
      { numRuns: 200 },
    )
  })
}

test('the second set of numbers of x64 is closed', () => {
  for (const number of [0x40000000, 0x40000065, 0x400001ff])
    assert.equal(answer(seccompFilter('x64'), { audit: X64, number }), ENOSYS)
})

test('a processor that nobody made a filter for is refused', () => {
  for (const arch of ['riscv64', 'constructor']) assert.throws(() => seccompFilter(arch), SandboxError)
})

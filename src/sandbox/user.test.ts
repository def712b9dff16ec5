import assert from 'node:assert/strict'
import { test } from 'node:test'
import { SandboxError } from './sandbox.ts'
import { type Identity, sandboxUser } from './user.ts'

const WHOLE = '         0          0 4294967295\n'
const ROOT: Identity = { uid: 0, gid: 0, uidMap: WHOLE, gidMap: WHOLE, taken: new Set([0, 1000]) }

test('root steps down to an id that nobody has', () => {
  const user = sandboxUser(ROOT)
  assert.ok(user.dropped && user.uid > 60_513 && user.uid < 61_184)
  const next = sandboxUser({ ...ROOT, taken: new Set([user.uid]) })
  assert.notEqual(next.uid, user.uid)
  assert.ok(next.dropped)
})

test('a normal user stays who it is', () => {
  assert.deepEqual(sandboxUser({ ...ROOT, uid: 1000, gid: 100 }), { uid: 1000, gid: 100, dropped: false })
})

test('root of a container that has many ids steps down to one of them', () => {
  const uidMap = '0 1000 1\n1 100000 65536\n'
  assert.ok(sandboxUser({ ...ROOT, uidMap, gidMap: uidMap }).dropped)
})

test('root of a container with one id is a normal user outside and stays', () => {
  const uidMap = '0 1000 1\n'
  assert.deepEqual(sandboxUser({ ...ROOT, uidMap, gidMap: uidMap }), { uid: 0, gid: 0, dropped: false })
})

test('whoever is the machine’s root and cannot step down is refused', () => {
  const onlyRoot = '0 0 1\n'
  assert.throws(() => sandboxUser({ ...ROOT, uidMap: onlyRoot, gidMap: onlyRoot }), SandboxError)
  const disguised = '1000 0 1\n'
  assert.throws(
    () => sandboxUser({ ...ROOT, uid: 1000, gid: 1000, uidMap: disguised, gidMap: disguised }),
    SandboxError,
  )
})

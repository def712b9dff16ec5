import assert from 'node:assert/strict'
import { test } from 'node:test'
import { finishLogin } from '../src/callback.ts'
import { startLogin } from '../src/login.ts'

/** A session that remembers which keys were asked for. */
class WatchedSession extends Map<string, string> {
  readonly asked: string[] = []

  override get(key: string): string | undefined {
    this.asked.push(key)
    return super.get(key)
  }
}

test('the callback reads the key that the login entry writes', () => {
  const session = new WatchedSession()
  startLogin(session, '/settings')
  const [stored] = session.keys()
  finishLogin(session, 'ada')
  const [read] = session.asked
  assert.equal(read, stored, `the login entry stores the path as <${stored}>, the callback reads <${read}>`)
})

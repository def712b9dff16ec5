import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import type { ContentStore } from './journal.ts'

/** What every content store promises. `open` gives a fresh one each time. */
export function storeContract(name: string, open: () => Promise<ContentStore>): void {
  describe(name, () => {
    test('gives back every text under the SHA-256 of its UTF-8 bytes', async () => {
      const store = await open()
      await fc.assert(
        fc.asyncProperty(fc.string({ unit: 'binary' }), async (text) => {
          const sha256 = await store.put(text)
          assert.equal(sha256, createHash('sha256').update(Buffer.from(text)).digest('hex'))
          assert.equal(await store.get(sha256), text.toWellFormed())
        }),
        { numRuns: 50 },
      )
    })

    test('keeps the same text once, also when it is put more than once at the same time', async () => {
      const store = await open()
      const names = await Promise.all([store.put('same'), store.put('same'), store.put('same')])
      assert.equal(new Set(names).size, 1)
      assert.equal(await store.get(names[0] ?? ''), 'same')
    })

    test('has nothing under a name that is not known or is no hash at all', async () => {
      const store = await open()
      for (const name of ['0'.repeat(64), '', '../../etc/passwd', 'A'.repeat(64)])
        assert.equal(await store.get(name), undefined)
    })
  })
}

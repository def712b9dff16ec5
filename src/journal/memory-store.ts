import { createHash } from 'node:crypto'
import type { ContentStore } from './journal.ts'

/** A content store that is gone with the process. */
export function memoryStore(): ContentStore {
  const contents = new Map<string, string>()
  return {
    async put(text) {
      const sha256 = createHash('sha256').update(text).digest('hex')
      contents.set(sha256, text.toWellFormed())
      return sha256
    },
    async get(sha256) {
      return contents.get(sha256)
    },
  }
}

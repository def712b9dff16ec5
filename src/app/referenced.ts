import type { EventRecord, StoredContents } from '../journal/stored-journal.ts'

const SHA256 = /(?<![0-9a-f])[0-9a-f]{64}(?![0-9a-f])/g

/**
 * Which of the texts that are kept some events speak of, directly or by way of another one. Whatever looks like the name
 * of a kept text counts, in any place: a reference that this version does not know is none the less one.
 */
export async function findReferenced(
  records: Iterable<EventRecord>,
  store: StoredContents,
  kept: ReadonlySet<string>,
): Promise<Set<string>> {
  const found = new Set<string>()
  const open: string[] = []
  const look = (text: string): void => {
    for (const [name] of text.matchAll(SHA256)) {
      if (!kept.has(name) || found.has(name)) continue
      found.add(name)
      open.push(name)
    }
  }
  for (const { fact } of records) look(fact)
  for (let name = open.pop(); name !== undefined; name = open.pop()) look((await store.get(name)) ?? '')
  return found
}

import { DatabaseSync } from 'node:sqlite'
import { indexed, matchOf } from './words.ts'

/** A document as the index keeps it, by the SHA-256 of its bytes and the ending of its name. */
export type IndexedText =
  | { readonly title: string; readonly text: string }
  /** Why it has no text: a whole sentence. */
  | { readonly problem: string }

/** Texts that can be searched. One file may be used by several processes at once. */
export interface TextIndex {
  has(key: string): boolean
  add(key: string, text: IndexedText): void
  get(key: string): IndexedText | undefined
  /** Forgets all others. */
  keepOnly(keys: ReadonlySet<string>): void
  /** Keys of the texts that fit best, best first. */
  search(query: string, most: number): readonly string[]
}

/** Another number for another way of reading or indexing: what was indexed otherwise is thrown away. */
const VERSION = 1
const BUSY_MS = 10_000

const TABLES = `
  DROP TABLE IF EXISTS texts;
  DROP TABLE IF EXISTS words;
  CREATE TABLE texts (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT, text TEXT, problem TEXT);
  CREATE VIRTUAL TABLE words USING fts5(title, text, content='', contentless_delete=1, tokenize='trigram');
  PRAGMA user_version = ${VERSION};
`

/** A word of the title counts as much as several in the text. */
const TITLE_WEIGHT = 4

/** `file` is a path, or `:memory:`. Throws what SQLite says of a file that cannot be used. */
export function openTextIndex(file: string): TextIndex {
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  inTransaction(database, () => {
    if (database.prepare('PRAGMA user_version').get()?.user_version !== VERSION) database.exec(TABLES)
  })
  const find = database.prepare('SELECT id, title, text, problem FROM texts WHERE key = ?')
  const insert = database.prepare('INSERT INTO texts (key, title, text, problem) VALUES (?, ?, ?, ?)')
  const insertWords = database.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)')
  const rank = database.prepare(
    `SELECT key FROM words JOIN texts ON texts.id = words.rowid WHERE words MATCH ? ORDER BY bm25(words, ${TITLE_WEIGHT}, 1), key LIMIT ?`,
  )
  return {
    has: (key) => find.get(key) !== undefined,
    get(key) {
      const row = find.get(key)
      if (row === undefined) return undefined
      return row.problem === null
        ? { title: String(row.title), text: String(row.text) }
        : { problem: String(row.problem) }
    },
    add: (key, added) =>
      inTransaction(database, () => {
        if (find.get(key) !== undefined) return // Another process was faster.
        if ('problem' in added) return void insert.run(key, null, null, added.problem)
        const { lastInsertRowid } = insert.run(key, added.title, added.text, null)
        insertWords.run(lastInsertRowid, indexed(added.title), indexed(added.text))
      }),
    keepOnly: (keys) => inTransaction(database, () => removeOthers(database, keys)),
    search(query, most) {
      const match = matchOf(query)
      return match === undefined ? [] : rank.all(match, most).map(({ key }) => String(key))
    },
  }
}

function removeOthers(database: DatabaseSync, keys: ReadonlySet<string>): void {
  const removeWords = database.prepare('DELETE FROM words WHERE rowid = ?')
  const removeText = database.prepare('DELETE FROM texts WHERE id = ?')
  for (const { id, key } of database.prepare('SELECT id, key FROM texts').all()) {
    if (keys.has(String(key)) || id === undefined) continue
    removeWords.run(id)
    removeText.run(id)
  }
}

function inTransaction(database: DatabaseSync, work: () => void): void {
  database.exec('BEGIN IMMEDIATE')
  try {
    work()
    database.exec('COMMIT')
  } catch (error) {
    database.exec('ROLLBACK')
    throw error
  }
}

import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { indexed, matchOf } from './words.ts'

/** A document as the index keeps it, by the SHA-256 of its bytes and the ending of its name. */
export type IndexedText =
  | { readonly title: string; readonly text: string }
  /** Why it has no text: a whole sentence. */
  | { readonly problem: string }

/** A file of the folder, and the text it stands for. */
export interface IndexedFile {
  readonly path: string
  readonly key: string
  /** Its size and times, where they would tell if it had changed. */
  readonly stamp?: string
}

/** Texts that can be searched. One file may be used by several processes at once. */
export interface TextIndex {
  has(key: string): boolean
  /** The text of a file that has the size and times it had then; undefined for one that has to be looked into. */
  keyOf(path: string, stamp: string): string | undefined
  /** All in one go, by their keys: each go waits for the disk. */
  add(texts: ReadonlyMap<string, IndexedText>): void
  get(key: string): IndexedText | undefined
  /** Remembers these files, and forgets all others with their texts. */
  keepOnly(files: readonly IndexedFile[]): void
  /** Keys of the texts that fit best, best first. */
  search(query: string, most: number): readonly string[]
}

/** Another number for another way of reading or indexing: what was indexed otherwise is thrown away. */
const VERSION = 2
const BUSY_MS = 10_000

const TABLES = `
  DROP TABLE IF EXISTS texts;
  DROP TABLE IF EXISTS words;
  DROP TABLE IF EXISTS files;
  CREATE TABLE texts (id INTEGER PRIMARY KEY, key TEXT NOT NULL UNIQUE, title TEXT, text TEXT, problem TEXT);
  CREATE VIRTUAL TABLE words USING fts5(title, text, content='', contentless_delete=1, tokenize='trigram');
  CREATE TABLE files (path TEXT PRIMARY KEY, stamp TEXT NOT NULL, key TEXT NOT NULL) WITHOUT ROWID;
  PRAGMA user_version = ${VERSION};
`

/** A word of the title counts as much as several in the text. */
const TITLE_WEIGHT = 4

/** `file` is a path, whose folder is made, or `:memory:`. Throws what the system or SQLite says of a file that cannot be used. */
export function openTextIndex(file: string): TextIndex {
  if (file !== ':memory:') mkdirSync(dirname(file), { recursive: true, mode: 0o700 })
  const database = new DatabaseSync(file, { timeout: BUSY_MS })
  inTransaction(database, () => {
    if (database.prepare('PRAGMA user_version').get()?.user_version !== VERSION) database.exec(TABLES)
  })
  const find = database.prepare('SELECT id, title, text, problem FROM texts WHERE key = ?')
  const insert = database.prepare('INSERT INTO texts (key, title, text, problem) VALUES (?, ?, ?, ?)')
  const insertWords = database.prepare('INSERT INTO words (rowid, title, text) VALUES (?, ?, ?)')
  const findFile = database.prepare('SELECT key FROM files JOIN texts USING (key) WHERE path = ? AND stamp = ?')
  const rank = database.prepare(
    `SELECT key FROM words JOIN texts ON texts.id = words.rowid WHERE words MATCH ? ORDER BY bm25(words, ${TITLE_WEIGHT}, 1), key LIMIT ?`,
  )
  return {
    has: (key) => find.get(key) !== undefined,
    keyOf: (path, stamp) => findFile.get(path, stamp)?.key?.toString(),
    get(key) {
      const row = find.get(key)
      if (row === undefined) return undefined
      return row.problem === null
        ? { title: String(row.title), text: String(row.text) }
        : { problem: String(row.problem) }
    },
    add: (texts) =>
      inTransaction(database, () => {
        for (const [key, text] of texts) {
          if (find.get(key) !== undefined) continue // Another process was faster.
          if ('problem' in text) insert.run(key, null, null, text.problem)
          else {
            const { lastInsertRowid } = insert.run(key, text.title, text.text, null)
            insertWords.run(lastInsertRowid, indexed(text.title), indexed(text.text))
          }
        }
      }),
    keepOnly: (files) =>
      inTransaction(database, () => {
        removeOtherTexts(database, new Set(files.map(({ key }) => key)))
        keepFiles(database, files)
      }),
    search(query, most) {
      const match = matchOf(query)
      return match === undefined ? [] : rank.all(match, most).map(({ key }) => String(key))
    },
  }
}

function removeOtherTexts(database: DatabaseSync, keys: ReadonlySet<string>): void {
  const removeWords = database.prepare('DELETE FROM words WHERE rowid = ?')
  const removeText = database.prepare('DELETE FROM texts WHERE id = ?')
  for (const { id, key } of database.prepare('SELECT id, key FROM texts').all()) {
    if (keys.has(String(key)) || id === undefined) continue
    removeWords.run(id)
    removeText.run(id)
  }
}

/** Writes nothing where nothing has changed. */
function keepFiles(database: DatabaseSync, files: readonly IndexedFile[]): void {
  const stamped = new Map(
    files.flatMap(({ path, key, stamp }) => (stamp === undefined ? [] : [[path, { key, stamp }]])),
  )
  const remove = database.prepare('DELETE FROM files WHERE path = ?')
  for (const { path } of database.prepare('SELECT path FROM files').all())
    if (!stamped.has(String(path))) remove.run(String(path))
  const keep = database.prepare(
    `INSERT INTO files (path, stamp, key) VALUES (?, ?, ?) ON CONFLICT (path)
     DO UPDATE SET stamp = excluded.stamp, key = excluded.key WHERE stamp <> excluded.stamp OR key <> excluded.key`,
  )
  for (const [path, { stamp, key }] of stamped) keep.run(path, stamp, key)
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

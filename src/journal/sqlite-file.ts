import { closeSync, mkdirSync, openSync } from 'node:fs'
import { dirname } from 'node:path'
import type { DatabaseSync } from 'node:sqlite'
import { isBusy, sqliteError } from './journal-error.ts'
import { expectJournal, isEmpty, LAYOUT, readLayout, upgradeLayout } from './sqlite-layout.ts'

/**
 * Page and table as measured by `node bench/journal.ts layouts` (Node 24.21.0, two busy cores), for steps of 2 KB:
 *
 * | CPU µs/step: 1 run, 200 at once; journal ÷ conversation | 4096 | 8192 | 16384 |
 * |---|---|---|---|
 * | rows as they come, with an index | 107, 30; 1.81 | 135, 34; 1.47 | 122, 21; 1.50 |
 * | WITHOUT ROWID                    | 117, 98; 2.30 | 242, 187; 4.37 | 139, 102; 1.43 |
 * | run and seq in one rowid         | 88, 81; 1.78 | 102, 113; 1.43 | 91, 94; 1.45 |
 *
 * Rows as they come touch one page for many runs, which the others do not; 8192 is the smallest page that wastes little,
 * and a commit writes whole pages.
 */
const PAGE_SIZE = 8192
/** The process stands still while a log is put into the file: seldom, then, and each page once. */
const CHECKPOINT_BYTES = 16 << 20

export interface DatabaseOptions {
  /** Milliseconds to wait for another process. */
  readonly busyTimeout: number
  /** Every commit waits until it is on disk. */
  readonly everyCommitDurable: boolean
}

/** Opens a journal's database; makes it, and its folder, when it is not there. Both are the owner's alone. */
export function openDatabase(path: string, options: DatabaseOptions): DatabaseSync {
  let db: DatabaseSync | undefined
  try {
    makePrivateFile(path)
    db = new (loadSqlite().DatabaseSync)(path)
    setUp(db, path, options)
    return db
  } catch (error) {
    db?.close()
    throw sqliteError(error, path)
  }
}

/** Node calls its SQLite experimental on standard error, where a user can do nothing about it. */
function loadSqlite(): typeof import('node:sqlite') {
  const warn = process.emitWarning
  process.emitWarning = () => undefined
  try {
    return process.getBuiltinModule('node:sqlite')
  } finally {
    process.emitWarning = warn
  }
}

function makePrivateFile(path: string): void {
  mkdirSync(dirname(path), { recursive: true, mode: 0o700 })
  try {
    // Only ever a new file: closing a file that SQLite has open in this process would drop its locks.
    closeSync(openSync(path, 'wx', 0o600))
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error
  }
}

function setUp(db: DatabaseSync, path: string, options: DatabaseOptions): void {
  // Said before anything is written: by default SQLite would wait for the disk to take an empty table.
  db.exec(`
    PRAGMA busy_timeout = ${options.busyTimeout};
    PRAGMA synchronous = ${options.everyCommitDurable ? 'FULL' : 'NORMAL'};
  `)
  if (!isEmpty(db)) expectJournal(db, path)
  useWal(db, options.busyTimeout)
  if (isEmpty(db) || readLayout(db) < LAYOUT) {
    db.exec('BEGIN IMMEDIATE')
    // Looked at again, now that nobody else can write: two processes may make the same file.
    upgradeLayout(db)
    db.exec('COMMIT')
  }
  expectJournal(db, path)
  db.exec(`
    PRAGMA wal_autocheckpoint = ${CHECKPOINT_BYTES / PAGE_SIZE};
    PRAGMA journal_size_limit = ${CHECKPOINT_BYTES};
  `)
}

/** SQLite does not wait for others when it changes the kind of journal, so this does. */
function useWal(db: DatabaseSync, busyTimeout: number): void {
  const until = performance.now() + busyTimeout
  db.exec(`PRAGMA page_size = ${PAGE_SIZE}`)
  for (;;) {
    try {
      db.exec('PRAGMA journal_mode = WAL')
      return
    } catch (error) {
      if (!isBusy(error) || performance.now() > until) throw error
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0, 5)
    }
  }
}

import type { DatabaseSync } from 'node:sqlite'
import { TaoError } from '../core/error.ts'

/** "TaoJ": how a file says that it is a journal and no other program's database. */
const APPLICATION_ID = 0x54616f4a

/** Which tables a file has; not the version of the events in them. Files from layout 1 on are read, and brought up to this. */
export const LAYOUT = 2

const FIRST = `
  CREATE TABLE run (key INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE) STRICT;
  CREATE TABLE event (
    run INTEGER NOT NULL, -- key of the run
    seq INTEGER NOT NULL,
    at ANY NOT NULL,      -- milliseconds since 1970; a time written in any other way as it came
    fact TEXT NOT NULL,   -- the rest of the event, JSON
    UNIQUE (run, seq)
  ) STRICT;
  PRAGMA application_id = ${APPLICATION_ID};
`

/**
 * Links, and what a list of runs shows: reading the events of every run for it would take seconds. A torn event is not
 * removed but put aside.
 */
const SECOND = `
  ALTER TABLE event ADD COLUMN link TEXT;
  ALTER TABLE run ADD COLUMN chain TEXT;    -- how its events are linked; NULL: they are not
  ALTER TABLE run ADD COLUMN at ANY;
  ALTER TABLE run ADD COLUMN task TEXT;     -- the first characters
  ALTER TABLE run ADD COLUMN model TEXT;
  ALTER TABLE run ADD COLUMN status TEXT;   -- NULL: there is no end on record
  ALTER TABLE run ADD COLUMN ended ANY;
  ALTER TABLE run ADD COLUMN imported INTEGER NOT NULL DEFAULT 0;
  CREATE TABLE torn (run TEXT NOT NULL, seq INTEGER NOT NULL, at ANY, fact TEXT, link TEXT, found TEXT NOT NULL) STRICT;

  UPDATE run SET (at, task, model) =
    (SELECT event.at, substr(fact ->> '$.task', 1, 300), fact ->> '$.model'
      FROM event WHERE event.run = run.key AND seq = 0 AND json_valid(fact));
  UPDATE run SET (ended, status) =
    (SELECT event.at, fact ->> '$.outcome.status'
      FROM event WHERE event.run = run.key AND json_valid(fact) AND fact ->> '$.kind' = 'run.ended'
        AND seq = (SELECT max(seq) FROM event WHERE event.run = run.key));
`

/** Every step from one layout to the next. */
const STEPS = [FIRST, SECOND]

/** Makes or upgrades the tables, inside the caller's transaction. */
export function upgradeLayout(db: DatabaseSync): void {
  for (const step of STEPS.slice(isEmpty(db) ? 0 : readLayout(db))) db.exec(step)
  db.exec(`PRAGMA user_version = ${Math.max(LAYOUT, readLayout(db))}`)
}

/** Throws a `TaoError` for a database of another program and for a layout that this version does not know. */
export function expectJournal(db: DatabaseSync, path: string): void {
  if (readNumber(db, 'PRAGMA application_id') !== APPLICATION_ID)
    throw new TaoError('journal', `${path} is a database of another program, not a journal.`, {
      fix: 'Name another file; this one was left as it is.',
    })
  const layout = readLayout(db)
  if (layout > LAYOUT)
    throw new TaoError('journal', `${path} has format ${layout}; this version of Tao knows format ${LAYOUT}.`, {
      fix: 'Update Tao, or name another file.',
    })
}

export const isEmpty = (db: DatabaseSync): boolean => readNumber(db, 'SELECT count(*) FROM sqlite_schema') === 0

export const readLayout = (db: DatabaseSync): number => readNumber(db, 'PRAGMA user_version')

function readNumber(db: DatabaseSync, sql: string): number {
  const row = db.prepare(sql).get()
  return Number(Object.values(row ?? {})[0])
}

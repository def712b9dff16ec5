import type { DatabaseSync, StatementSync } from 'node:sqlite'

/** An event goes in only where its run still is: a key may have been given to another run since. */
const STATEMENTS = {
  begin: 'BEGIN IMMEDIATE',
  commit: 'COMMIT',
  rollback: 'ROLLBACK',
  findRun: `SELECT key, chain, status, (SELECT max(seq) + 1 FROM event WHERE run = key) AS next,
      (SELECT link FROM event WHERE run = key ORDER BY seq DESC LIMIT 1) AS head FROM run WHERE name = ?`,
  addRun: 'INSERT INTO run (name, chain, at, task, model) VALUES (?, ?, ?, ?, ?)',
  insert: `INSERT OR IGNORE INTO event (seq, at, fact, link, run)
    SELECT ?1, ?2, ?3, ?4, key FROM run WHERE key = ?5 AND name = ?6`,
  setEnd: 'UPDATE run SET status = ?1, ended = ?2 WHERE key = ?3',
  setImported: 'UPDATE run SET imported = 1 WHERE key = ?',
  takeBack: 'DELETE FROM event WHERE run = ? AND seq >= ? AND seq < ?',
  removeEvents: 'DELETE FROM event WHERE run = (SELECT key FROM run WHERE name = ?)',
  removeRun: 'DELETE FROM run WHERE name = ?',
  keepTorn: `INSERT INTO torn SELECT name, seq, event.at, fact, link, ?2
    FROM run JOIN event ON event.run = key WHERE name = ?1 ORDER BY seq DESC LIMIT 1`,
  removeLast: `DELETE FROM event WHERE run = (SELECT key FROM run WHERE name = ?1)
    AND seq = (SELECT max(seq) FROM event WHERE run = (SELECT key FROM run WHERE name = ?1))`,
  readRun: 'SELECT seq, event.at, fact, link FROM run JOIN event ON event.run = key WHERE name = ? ORDER BY seq',
  readFacts: 'SELECT seq, event.at, fact FROM run JOIN event ON event.run = key WHERE name = ? ORDER BY seq',
  readChain: 'SELECT chain FROM run WHERE name = ?',
  readLinks: 'SELECT link FROM event WHERE link IS NOT NULL',
  listRuns: 'SELECT name, at, task, model, status, ended, imported FROM run ORDER BY key DESC',
} as const

export type Statements = Readonly<Record<keyof typeof STATEMENTS, StatementSync>>

export function prepareStatements(db: DatabaseSync): Statements {
  const entries = Object.entries(STATEMENTS).map(([name, sql]) => [name, db.prepare(sql)])
  return Object.fromEntries(entries) as Record<keyof typeof STATEMENTS, StatementSync>
}

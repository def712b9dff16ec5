import type { Pool } from 'pg'
import { TaoError } from '../core/error.ts'

/** Which tables a database has; not the version of the events in them. */
const LAYOUT = 1

/** "TaoJ": processes that make the tables at the same time wait for each other. */
const LOCK = 0x54616f4a

const SCHEMA = `
  SELECT pg_advisory_xact_lock(${LOCK});
  CREATE TABLE IF NOT EXISTS tao_layout (version integer NOT NULL);
  INSERT INTO tao_layout SELECT ${LAYOUT} WHERE NOT EXISTS (SELECT FROM tao_layout);
  CREATE TABLE IF NOT EXISTS tao_run (
    name text PRIMARY KEY,
    place bigint GENERATED ALWAYS AS IDENTITY UNIQUE, -- newer runs have higher ones
    chain text,     -- how its events are linked; NULL: they are not
    at text NOT NULL,
    task text,      -- the first characters
    model text,
    status text,    -- NULL: there is no end on record
    ended text,
    imported boolean NOT NULL
  );
  CREATE TABLE IF NOT EXISTS tao_event (
    run text NOT NULL REFERENCES tao_run, -- an event goes in only where its run still is
    seq integer NOT NULL,
    at text NOT NULL,
    fact text NOT NULL, -- the rest of the event, JSON, byte for byte
    link text,
    PRIMARY KEY (run, seq)
  );
  CREATE TABLE IF NOT EXISTS tao_torn (
    run text NOT NULL, seq integer NOT NULL, at text, fact text, link text, found timestamptz NOT NULL DEFAULT now()
  );
  CREATE TABLE IF NOT EXISTS tao_object (
    sha256 text PRIMARY KEY, content bytea NOT NULL, put_at timestamptz NOT NULL DEFAULT now()
  );
`

/** Makes the tables where they are not there. Throws a `TaoError` for tables of a newer version. */
export async function setUpTables(pool: Pool, place: string): Promise<void> {
  const { rows } = await pool.query<{ found: string | null }>("SELECT to_regclass('tao_object') AS found")
  if (rows[0]?.found === null) await pool.query(SCHEMA)
  const layout = await pool.query<{ version: number }>('SELECT version FROM tao_layout')
  const version = layout.rows[0]?.version ?? 0
  if (version <= LAYOUT) return
  throw new TaoError('journal', `${place} has format ${version}; this version of Tao knows format ${LAYOUT}.`, {
    fix: 'Update Tao, or name another database.',
  })
}

/** Where followers hear the names of runs that went on. */
export const CHANNEL = 'tao_event'

/** One round trip, one transaction: runs that begin, runs whose end is told or is one no more, events, who is told. */
const APPEND = `
  WITH added AS (
    INSERT INTO tao_run (name, chain, at, task, model, status, ended, imported)
    SELECT * FROM unnest($1::text[], $2::text[], $3::text[], $4::text[], $5::text[], $6::text[], $7::text[], $8::boolean[])
  ), ended AS (
    UPDATE tao_run SET status = e.status, ended = e.at
    FROM unnest($9::text[], $10::text[], $11::text[]) AS e (run, status, at) WHERE name = e.run
  ), written AS (
    INSERT INTO tao_event (run, seq, at, fact, link)
    SELECT * FROM unnest($12::text[], $13::integer[], $14::text[], $15::text[], $16::text[])
  )
  SELECT pg_notify('${CHANNEL}', run) FROM (SELECT DISTINCT unnest($12::text[]) AS run) AS runs`

export interface AddedRun {
  readonly run: string
  readonly chain: string | null
  readonly at: string
  readonly task?: string
  readonly model?: string
  readonly status: string | null
  readonly ended: string | null
  readonly imported: boolean
}

export interface ChangedEnd {
  readonly run: string
  readonly status: string | null
  readonly at: string | null
}

export interface WrittenEvent {
  readonly run: string
  readonly seq: number
  readonly at: string
  readonly fact: string
  readonly link: string | null
}

export interface Written {
  readonly added: readonly AddedRun[]
  readonly ends: readonly ChangedEnd[]
  readonly events: readonly WrittenEvent[]
}

/** All or nothing. Rejects with PostgreSQL's error. */
export async function writeRows(pool: Pool, { added, ends, events }: Written): Promise<void> {
  await pool.query({
    name: 'tao-append',
    text: APPEND,
    values: [
      added.map(({ run }) => run),
      added.map(({ chain }) => chain),
      added.map(({ at }) => at),
      added.map(({ task }) => task ?? null),
      added.map(({ model }) => model ?? null),
      added.map(({ status }) => status),
      added.map(({ ended }) => ended),
      added.map(({ imported }) => imported),
      ends.map(({ run }) => run),
      ends.map(({ status }) => status),
      ends.map(({ at }) => at),
      events.map(({ run }) => run),
      events.map(({ seq }) => seq),
      events.map(({ at }) => at),
      events.map(({ fact }) => fact),
      events.map(({ link }) => link),
    ],
  })
}

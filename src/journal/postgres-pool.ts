import type { Pool } from 'pg'
import { TaoError } from '../core/error.ts'

const CONNECT_MS = 10_000
const QUERY_MS = 60_000

/** Rejects with a `TaoError` when the package `pg` is not installed. Connects when it is first used. */
export async function openPool(address: string): Promise<Pool> {
  const { Pool } = await import('pg').catch((error: unknown) => {
    throw new TaoError('journal', 'A journal in PostgreSQL needs the package pg, which is not installed.', {
      fix: 'Install it beside Tao: npm install pg',
      cause: error,
    })
  })
  const pool = new Pool({
    connectionString: address,
    max: 4,
    connectionTimeoutMillis: CONNECT_MS,
    query_timeout: QUERY_MS,
    keepAlive: true,
    application_name: 'tao',
  })
  pool.on('error', () => undefined) // A connection that breaks while nobody uses it is replaced by the next query.
  return pool
}

import { hash } from 'node:crypto'
import type { Pool } from 'pg'
import { TaoError } from '../core/error.ts'
import { postgresError } from './postgres-error.ts'
import type { StoredContents } from './stored-journal.ts'

/** Large texts in the journal's database, so that every machine that continues a run has them. */
export function postgresStore(pool: Pool, place: string): StoredContents {
  const query = async <Row extends object>(
    text: string,
    values: unknown[],
  ): Promise<{ rows: Row[]; count: number }> => {
    try {
      const { rows, rowCount } = await pool.query<Row & Record<string, unknown>>(text, values)
      return { rows, count: rowCount ?? 0 }
    } catch (error) {
      throw postgresError(error, place)
    }
  }

  return {
    async put(text) {
      const bytes = Buffer.from(text)
      const sha256 = hash('sha256', bytes)
      await query(
        'INSERT INTO tao_object (sha256, content) VALUES ($1, $2) ON CONFLICT (sha256) DO UPDATE SET put_at = now()',
        [sha256, bytes],
      )
      return sha256
    },
    async get(sha256) {
      if (!/^[0-9a-f]{64}$/.test(sha256)) return undefined
      const { rows } = await query<{ content: Buffer }>('SELECT content FROM tao_object WHERE sha256 = $1', [sha256])
      const content = rows[0]?.content
      if (content === undefined || hash('sha256', content) === sha256) return content?.toString()
      throw new TaoError('store', `The result ${sha256} in ${place} is not what was kept there.`, {
        fix: 'It was changed or damaged; take it from a backup.',
      })
    },
    async list() {
      const { rows } = await query<{ sha256: string; bytes: number; put_at: Date }>(
        'SELECT sha256, length(content) AS bytes, put_at FROM tao_object',
        [],
      )
      return rows.map(({ sha256, bytes, put_at }) => ({ sha256, bytes, putAt: put_at.getTime() }))
    },
    async remove(sha256, before) {
      const text = 'DELETE FROM tao_object WHERE sha256 = $1 AND put_at < $2'
      return (await query(text, [sha256, new Date(before)])).count > 0
    },
  }
}

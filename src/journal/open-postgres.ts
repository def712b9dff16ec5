import type { PostgresJournal, PostgresJournalOptions } from './postgres.ts'

/** As in postgres.ts, which is loaded only by those who keep their runs there. */
export async function openPostgresJournal(
  address: string,
  options: PostgresJournalOptions = {},
): Promise<PostgresJournal> {
  return (await import('./postgres.ts')).openPostgresJournal(address, options)
}

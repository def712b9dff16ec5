import { existsSync } from 'node:fs'
import { TaoError } from '../core/error.ts'
import { type Chain, openChain } from '../journal/chain.ts'
import { openCheckpointFile } from '../journal/checkpoint-file.ts'
import { fileStore } from '../journal/file-store.ts'
import { openSqliteJournal } from '../journal/sqlite.ts'
import type { CheckpointLog, StoredContents, StoredJournal } from '../journal/stored-journal.ts'
import { type Home, homeAt, openHome } from './home.ts'
import { journalKey } from './journal-key.ts'
import type { Settings } from './settings.ts'

/** Where the runs of this deployment are kept, opened. */
export interface OpenedJournal {
  readonly journal: StoredJournal
  readonly store: StoredContents
  readonly chain: Chain
  readonly checkpoints: CheckpointLog
  close(): Promise<void>
}

/** For a run that is to be recorded: what is not there yet is made. Rejects with a `TaoError`. */
export async function openJournal(settings: Settings): Promise<OpenedJournal> {
  const home = openHome(settings.home)
  return open(settings, home, journalKey(settings, home, { make: true }))
}

/** For looking at runs: nothing is made. Resolves to undefined when nothing has been recorded yet. */
async function findJournal(settings: Settings): Promise<OpenedJournal | undefined> {
  const home = homeAt(settings.home)
  if (settings.keyFor('TAO_JOURNAL') === undefined && !existsSync(home.journal)) return undefined
  return open(settings, home, journalKey(settings, home, { make: false }))
}

/** Does something with the journal, if there is one, and closes it. */
export async function withJournal<T>(
  settings: Settings,
  work: (opened: OpenedJournal) => Promise<T>,
): Promise<T | undefined> {
  const opened = await findJournal(settings)
  if (opened === undefined) return undefined
  try {
    return await work(opened)
  } finally {
    await opened.close()
  }
}

async function open(settings: Settings, home: Home, key: string | undefined): Promise<OpenedJournal> {
  const checkpoints = openCheckpointFile(settings.checkpoints ?? home.checkpoints)
  const options = { checkpoints, ...(key === undefined ? {} : { key }) }
  const address = settings.keyFor('TAO_JOURNAL')
  const chain = openChain(key)
  if (address !== undefined) {
    const { openPostgresJournal } = await import('../journal/postgres.ts')
    const journal = await openPostgresJournal(expectPostgres(address), options)
    return { journal, store: journal.store, chain, checkpoints, close: () => journal.close() }
  }
  const journal = openSqliteJournal(home.journal, options)
  return { journal, store: fileStore(home.objects), chain, checkpoints, close: () => journal.close() }
}

/** The address is not repeated: it may have a password in it. */
function expectPostgres(address: string): string {
  if (/^postgres(ql)?:\/\//.test(address)) return address
  throw new TaoError('usage', 'TAO_JOURNAL is no address of a PostgreSQL database.', {
    fix: 'Write it like postgres://user@host/database, or leave it out: then runs are kept in the state directory.',
  })
}

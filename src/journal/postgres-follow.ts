import type { Client } from 'pg'
import type { Event } from '../core/event.ts'
import { postgresError } from './postgres-error.ts'
import { readRecords } from './postgres-runs.ts'
import { CHANNEL } from './postgres-tables.ts'
import { restoreEvents } from './stored-event.ts'

export interface Following {
  readonly address: string
  readonly place: string
  readonly run: string
  readonly from: number
  readonly signal: AbortSignal
}

const CONNECT_MS = 10_000
/** Notifications are not lost, but connections are: this often a follower looks by itself. */
const LOOK_MS = 5_000

/** Events as they are committed, told by the database; a connection of its own. Ends with the run or the signal. */
export async function* followRun({ address, place, run, from, signal }: Following): AsyncGenerator<Event> {
  const { Client } = await import('pg')
  const client = new Client({ connectionString: address, connectionTimeoutMillis: CONNECT_MS, keepAlive: true })
  const bell = hangBell(client, { run, signal })
  try {
    await client.connect()
    await client.query(`LISTEN ${CHANNEL}`)
    for (let next = from; !signal.aborted; ) {
      const rung = bell.nextRing()
      const events = restoreEvents(await readRecords(client, run, next), { run, place, from: next })
      for (const event of events) {
        yield event
        if (event.kind === 'run.ended') return
      }
      next += events.length
      if (events.length === 0) await rung
    }
  } catch (error) {
    throw postgresError(error, place)
  } finally {
    bell.remove()
    await client.end().catch(() => undefined)
  }
}

interface Bell {
  /** Resolves when there may be news; rejects when the connection is lost. Asked before looking, so that nothing is missed. */
  nextRing(): Promise<void>
  remove(): void
}

function hangBell(client: Client, { run, signal }: { run: string; signal: AbortSignal }): Bell {
  let failure: unknown
  let ring = (): void => undefined
  const timer = setInterval(() => ring(), LOOK_MS)
  const onAbort = (): void => ring()
  signal.addEventListener('abort', onAbort)
  client.on('notification', ({ payload }) => {
    if (payload === run) ring()
  })
  client.on('error', (error) => {
    failure = error
    ring()
  })
  return {
    nextRing: async () => {
      await new Promise<void>((resolve) => {
        ring = resolve
        if (failure !== undefined || signal.aborted) resolve()
      })
      if (failure !== undefined) throw failure
    },
    remove: () => {
      clearInterval(timer)
      signal.removeEventListener('abort', onAbort)
    },
  }
}

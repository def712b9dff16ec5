import { describeError, TaoError } from '../core/error.ts'

/** Says in a sentence what PostgreSQL or the network says in a code, and what to do about it. */
export function postgresError(thrown: unknown, place: string): TaoError {
  if (thrown instanceof TaoError) return thrown
  const [problem, fix] = explain(codeOf(thrown))
  return new TaoError('journal', `The journal ${place} ${problem} (${describeError(thrown)}).`, { fix, cause: thrown })
}

/** True when the place of an event is taken, or its run is gone. */
export const isFenced = (thrown: unknown): boolean => ['23505', '23503'].includes(codeOf(thrown) ?? '')

/** https://www.postgresql.org/docs/current/errcodes-appendix.html */
function explain(code: string | undefined): readonly [problem: string, fix: string] {
  switch (code) {
    case 'ECONNREFUSED':
    case 'ENOENT':
    case 'ENOTFOUND':
    case 'ETIMEDOUT':
    case '57P03':
      return ['cannot be reached', 'Start the database, or mend the address in TAO_JOURNAL.']
    case '28P01':
    case '28000':
      return ['does not let this user in', 'Mend user and password in TAO_JOURNAL.']
    case '3D000':
      return ['is not there', 'Make the database with: createdb NAME']
    case '42501':
      return ['may not be changed by this user', 'Let its owner grant the rights to make and change tables.']
    case '53100':
      return ['cannot be written: the disk is full', 'Make room on the server and go on with: tao resume RUN']
    default:
      return ['could not do what was asked', 'Look whether the database is there; go on with a run by: tao resume RUN']
  }
}

function codeOf(thrown: unknown): string | undefined {
  if (thrown instanceof AggregateError) return codeOf(thrown.errors[0])
  const code: unknown = thrown instanceof Error && 'code' in thrown ? thrown.code : undefined
  return typeof code === 'string' ? code : undefined
}

/** An address without what must not be printed. */
export function placeOf(address: string): string {
  try {
    const { host, pathname, searchParams } = new URL(address)
    return `postgres://${host || (searchParams.get('host') ?? '')}${pathname}`
  } catch {
    return 'postgres://…'
  }
}

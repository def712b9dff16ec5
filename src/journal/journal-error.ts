import { describeError, TaoError } from '../core/error.ts'

/** A caller left out events of a run: a bug, told before anything is written. */
export const gapError = (run: string, expected: number, seq: number): TaoError =>
  new TaoError('journal', `Run ${run} goes on at event ${expected}, but event ${seq} was appended.`)

/** What was read is not what was written: torn, changed by hand, or from another program. */
export const damagedError = (run: string, seq: number, path: string, problem: string): TaoError =>
  new TaoError('journal', `Event ${seq} of run ${run} in ${path} ${problem}.`, {
    fix: `The events before it are sound; other runs too. Take ${path} from a backup to have it back.`,
  })

/** A run is chained to its end with the key it was begun with. */
export const otherKeyError = (run: string): TaoError =>
  new TaoError('journal', `Run ${run} was recorded with another key, so it cannot be continued with this one.`, {
    fix: 'Give the key it was recorded with: TAO_JOURNAL_KEY, or journal.key in the state directory.',
  })

export const clashError = (run: string): TaoError =>
  new TaoError('journal', `There is a run ${run} already.`, {
    fix: `Nothing was changed. Look at it with: tao show ${run}`,
  })

export const tornNotice = (run: string, seq: number, path: string): string =>
  `Event ${seq}, the last one of run ${run} in ${path}, was half written and has been set aside; the run goes on before it.`

// Result codes of SQLite: https://www.sqlite.org/rescode.html
const BUSY = 5
const READONLY = 8
const IO_ERROR = 10
const CORRUPT = 11
/** The file that processes share beside the journal has no room. Of all errors of the disk, this one is a full disk. */
const NO_ROOM_TO_SHARE = 10 | (19 << 8)
const FULL = 13
const CANNOT_OPEN = 14
const NOT_A_DATABASE = 26

/** Says in a sentence what SQLite says in a number, and what to do about it. */
export function sqliteError(thrown: unknown, path: string): TaoError {
  if (thrown instanceof TaoError) return thrown
  const [problem, fix] = explain(kindOf(thrown), path)
  return new TaoError('journal', `The journal ${path} ${problem} (${describeError(thrown)}).`, { fix, cause: thrown })
}

export const isBusy = (thrown: unknown): boolean => kindOf(thrown) === BUSY

function explain(code: number | undefined, path: string): readonly [problem: string, fix: string] {
  switch (code) {
    case BUSY:
      return [
        'is locked by another process',
        'End the process that holds it and try again; tao resume goes on with a run.',
      ]
    case FULL:
      return ['cannot be written: the disk is full', 'Make room and go on with: tao resume RUN']
    case IO_ERROR:
      return ['cannot be read or written: the disk fails', 'Check the disk, then go on with: tao resume RUN']
    case READONLY:
    case CANNOT_OPEN:
      return ['cannot be opened for writing', `Check who owns ${path} and its folder, or name another file.`]
    case CORRUPT:
      return ['is damaged', `Keep a copy, then try: sqlite3 ${path} .recover`]
    case NOT_A_DATABASE:
      return ['is some other file, not a journal', 'Name another file; this one was left as it is.']
    default:
      return ['cannot be used', `Check ${path} and its folder.`]
  }
}

/** The lower byte of a code is its kind, the rest are details. */
function kindOf(thrown: unknown): number | undefined {
  const code: unknown = thrown instanceof Error && 'errcode' in thrown ? thrown.errcode : undefined
  if (code === NO_ROOM_TO_SHARE) return FULL
  return typeof code === 'number' ? code & 0xff : undefined
}

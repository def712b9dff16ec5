import { DatabaseSync } from 'node:sqlite'

/** Milliseconds since 1970; replaced by tests. */
export type Now = () => number

export interface Reminder {
  readonly id: number
  /** Milliseconds since 1970. */
  readonly at: number
  readonly text: string
}

export interface RemindersOptions {
  /** The SQLite file, or `:memory:`. */
  readonly file: string
  readonly now: Now
  /** Tells the user. A reminder counts as told when this returns: it may come twice over a crash, but is never lost. */
  readonly tell: (reminder: Reminder) => void
}

/** A clock can be set and a laptop can sleep, so nobody waits longer than this without looking at it again. */
const LONGEST_WAIT_MS = 30_000

/** Reminders that outlive the process: what came due while nobody was there is told when the file is opened again. */
export class Reminders implements Disposable {
  readonly #database: DatabaseSync
  readonly #options: RemindersOptions
  #timer: NodeJS.Timeout | undefined

  constructor(options: RemindersOptions) {
    this.#options = options
    this.#database = new DatabaseSync(options.file)
    this.#database.exec(`
      CREATE TABLE IF NOT EXISTS reminder (id INTEGER PRIMARY KEY, at INTEGER, text TEXT, told INTEGER, key TEXT UNIQUE);
      CREATE TABLE IF NOT EXISTS reading (at INTEGER)`)
    this.tellDue()
  }

  /** The same `key` again adds nothing: a call that is repeated after a crash sets one reminder. */
  add({ at, text, key }: { readonly at: number; readonly text: string; readonly key: string }): void {
    this.#database.prepare('INSERT OR IGNORE INTO reminder (at, text, key) VALUES (?, ?, ?)').run(at, text, key)
    this.tellDue()
  }

  /** Notes what time a model was told, so that this too outlives the process. */
  noteReading(at: number): void {
    this.#database.prepare('INSERT INTO reading (at) VALUES (?)').run(at)
  }

  lastReading(): number | undefined {
    return this.#database.prepare('SELECT at FROM reading ORDER BY rowid DESC LIMIT 1').get()?.at as number | undefined
  }

  /** Those that have not been told, the next one first. */
  waiting(): readonly Reminder[] {
    const rows = this.#database.prepare('SELECT id, at, text FROM reminder WHERE told IS NULL ORDER BY at, id').all()
    return rows as unknown as readonly Reminder[]
  }

  /** Tells what is due, and comes back when the next one is. While one waits, the process stays alive. */
  tellDue(): void {
    clearTimeout(this.#timer)
    const { now, tell } = this.#options
    const time = now()
    const [due, later] = split(this.waiting(), ({ at }) => at <= time)
    for (const reminder of due) {
      tell(reminder)
      this.#database.prepare('UPDATE reminder SET told = ? WHERE id = ?').run(time, reminder.id)
    }
    const [next] = later
    if (next !== undefined) this.#timer = setTimeout(() => this.tellDue(), Math.min(next.at - time, LONGEST_WAIT_MS))
  }

  [Symbol.dispose](): void {
    clearTimeout(this.#timer)
    this.#database.close()
  }
}

const split = <T>(all: readonly T[], isFirst: (each: T) => boolean): readonly [readonly T[], readonly T[]] => [
  all.filter(isFirst),
  all.filter((each) => !isFirst(each)),
]

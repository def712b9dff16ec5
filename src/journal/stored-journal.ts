import type { ContentStore, Journal } from './journal.ts'

/** A journal that outlives its process. Its runs are chained; they can be checked, taken out and put in. */
export interface StoredJournal extends Journal {
  /** A run as it stands there, nothing of it known to be sound; undefined when there is none of that name. */
  records(run: string): Promise<RunRecords | undefined>
  /** Every link there is, of all runs: where a record that was moved may have come from. */
  links(): Promise<readonly string[]>
  /** Takes a run as it is, marked as imported. Rejects with a `TaoError` when there is one of that name; then nothing is changed. */
  insert(run: RunRecords): Promise<void>
  /** Removes runs with all their events. Who still writes to one of them is fenced. */
  remove(runs: readonly string[]): Promise<void>
}

export interface RunRecords {
  readonly run: string
  /** The name of its chain; undefined for a run that was recorded before there were any. */
  readonly chain?: string
  /** By sequence number. */
  readonly records: readonly EventRecord[]
}

/** An event as it is kept. */
export interface EventRecord {
  readonly seq: number
  /** Undefined when what stands there is no time. */
  readonly at?: string
  /** The event without run, number and time: JSON, unless it was damaged. */
  readonly fact: string
  readonly link?: string
}

/** How far a run had come at some time: its first `count` events ended with this link. */
export interface Checkpoint {
  readonly run: string
  readonly count: number
  readonly head: string
}

/** The second place: what stands there is only ever added to. */
export interface CheckpointLog {
  /** Throws a `TaoError` when it cannot be written. */
  add(checkpoint: Checkpoint): void
  /** Says that a run was removed on purpose; its checkpoints until now count no more. */
  addRemoval(run: string): void
  /** In the order they were written. */
  of(run: string): readonly Checkpoint[]
  close(): void
}

/** A content store whose contents can be looked through. */
export interface StoredContents extends ContentStore {
  list(): Promise<readonly StoredContent[]>
  /** Removes a text unless somebody has put it again since `before`, in milliseconds since 1970. Resolves to whether it did. */
  remove(sha256: string, before: number): Promise<boolean>
}

export interface StoredContent {
  readonly sha256: string
  readonly bytes: number
  /** When it was put last, in milliseconds since 1970. */
  readonly putAt: number
}

import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'
import type { Status } from '../core/outcome.ts'

/** Where events are appended. The journal is the run: everything else can be made again from it. */
export interface Journal {
  /**
   * Takes an event. It is committed with the next flush of any run, and some milliseconds later at the latest; a failure is
   * thrown by the next `append` or `flush` of that run. Returns at once.
   */
  append(event: Event): void
  /**
   * Resolves when everything this run has appended is committed. `durable`: also after a loss of power. Rejects with a
   * `FenceError` when another process has written the same sequence numbers; then nothing of this run was written.
   */
  flush(run: string, how: 'committed' | 'durable'): Promise<void>
  /** All events of a run in order; an empty list for a run that is not known. */
  read(run: string): Promise<readonly Event[]>
  /** How each run began and ended, newest run first. Takes no longer for long runs than for short ones. */
  runs(): Promise<readonly RunListing[]>
  /** Commits what is left. */
  close(): Promise<void>
}

export interface RunListing {
  readonly run: string
  /** The time of its first event. */
  readonly at: string
  /** The first characters of it. Absent, like the model, when the run does not begin with its start. */
  readonly task?: string
  readonly model?: string
  /** Absent while the run goes on, and when its process was ended from outside. */
  readonly end?: RunEnd
  /** Since when it has waited for a person, where it does. */
  readonly waitingSince?: string
  /** It was not recorded here but came as a file; its working copy is elsewhere. */
  readonly imported?: true
}

export interface RunEnd {
  readonly at: string
  readonly status: Status
}

/** Keeps large texts by their content. */
export interface ContentStore {
  /** Resolves to the SHA-256 of the text's UTF-8 bytes, in hexadecimal, when it is kept. */
  put(text: string): Promise<string>
  get(sha256: string): Promise<string | undefined>
}

/** Somebody else has appended to the run: this process must stop and may not start anything more. */
export class FenceError extends TaoError {
  constructor(run: string, seq: number) {
    super('fence', `Run ${run} was continued by another process at event ${seq}.`, {
      fix: `Look at it with: tao show ${run}`,
    })
  }
}

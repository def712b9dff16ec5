import { TaoError } from '../core/error.ts'
import type { Event } from '../core/event.ts'

/** Where events are appended. The journal is the run: everything else can be made again from it. */
export interface Journal {
  /**
   * Takes an event. All events of one tick are committed together soon after; a failure is thrown by the next `append` or
   * `flush` of that run. Returns at once.
   */
  append(event: Event): void
  /**
   * Resolves when everything this run has appended is committed. `durable`: also after a loss of power. Rejects with a
   * `FenceError` when another process has written the same sequence numbers; then nothing of this run was written.
   */
  flush(run: string, how: 'committed' | 'durable'): Promise<void>
  /** All events of a run in order; an empty list for a run that is not known. */
  read(run: string): Promise<readonly Event[]>
  /** The first and the last event of each run, newest run first. */
  runs(): Promise<readonly RunListing[]>
  /** Commits what is left. */
  close(): Promise<void>
}

export interface RunListing {
  readonly run: string
  readonly first: Event
  readonly last: Event
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

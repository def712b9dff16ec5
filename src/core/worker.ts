/**
 * The process that works on a run. It is on record so that nobody takes a run from it by mistake; what keeps two of them apart is
 * the journal's fence alone.
 */
export interface Worker {
  /** Where its number means something: the machine since its start, and within that the namespace of processes. */
  readonly place: string
  readonly pid: number
  /** A number may be given to another process; with the start time it is this one or none. */
  readonly startTime: string
}

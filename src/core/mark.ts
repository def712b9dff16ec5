/** What a run has read: text that somebody else could have written, and what belongs to the client. */
export type Mark = 'untrusted' | 'private'

export const MARKS: readonly Mark[] = ['untrusted', 'private']

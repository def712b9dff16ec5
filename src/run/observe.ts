import { clip } from '../core/clip.ts'
import type { ContentStore } from '../journal/journal.ts'

/** Characters of a result that enter the history. */
const OBSERVATION_LIMIT = 24_000

export interface Observed {
  readonly text: string
  readonly truncated: boolean
  /** UTF-8 size of the whole. */
  readonly bytes: number
  /** Where the whole lies, when it was cut. */
  readonly whole?: string
}

/** Cuts a result to what a model is shown. What was cut away is kept by its content. */
export async function observe(text: string, store: ContentStore): Promise<Observed> {
  const bytes = Buffer.byteLength(text)
  const note = (leftOut: number) => `[… ${leftOut} characters left out; the whole result has ${bytes} bytes …]`
  const clipped = clip(text, OBSERVATION_LIMIT, note)
  if (!clipped.truncated) return { ...clipped, bytes }
  return { ...clipped, bytes, whole: await store.put(text) }
}

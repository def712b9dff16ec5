import { clip } from '../core/clip.ts'
import { showInvisible } from '../core/invisible.ts'
import type { Parts } from './run.ts'

/** Characters of a result that enter the history. */
const OBSERVATION_LIMIT = 24_000

export interface Observed {
  readonly text: string
  readonly truncated: boolean
  /** UTF-8 size of the whole. */
  readonly bytes: number
  /** Where the whole lies as it came, when it was cut or held what cannot be seen. */
  readonly whole?: string
}

/**
 * Makes of a result what a model is shown: cut to size, with nothing invisible in it. The whole is then kept by its content.
 * Secrets are taken out before: half of one that was cut could not be found any more.
 */
export async function observe(result: string, { store, masker }: Pick<Parts, 'store' | 'masker'>): Promise<Observed> {
  const text = masker?.mask(result) ?? result
  const bytes = Buffer.byteLength(text)
  const note = (leftOut: number) => `[… ${leftOut} characters left out; the whole result has ${bytes} bytes …]`
  const visible = showInvisible(text)
  const clipped = clip(visible, OBSERVATION_LIMIT, note)
  if (!clipped.truncated && visible === text) return { ...clipped, bytes }
  return { ...clipped, bytes, whole: await store.put(text) }
}

/** What a tool threw or a check found, cut to the same size; what is left out is kept nowhere. */
export function shorten(said: string, { masker }: Pick<Parts, 'masker'>): string {
  const text = masker?.mask(said) ?? said
  return clip(text, OBSERVATION_LIMIT, (leftOut) => `[… ${leftOut} characters left out …]`).text
}

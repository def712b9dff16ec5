import { CORPUS } from '../../core/corpus-address.ts'
import { TaoError } from '../../core/error.ts'

/** Characters that would end an address, or turn it into another one, where a model or a page writes it. */
const UNSAFE = /[%?#[\]<>"\\\s\p{Cc}]/gu

/** The address of a document: the same as long as its path is. Letters of any script stay as they are. */
export const addressOf = (path: string): string =>
  CORPUS + path.replaceAll(UNSAFE, encodeURIComponent).replaceAll('(', '%28').replaceAll(')', '%29')

/** The path of a document. Throws a `TaoError` for an address of something else. */
export function pathAt(address: string): string {
  try {
    if (address.startsWith(CORPUS)) return decodeURIComponent(address.slice(CORPUS.length)).normalize()
  } catch {
    // A percent sign that nothing is written with.
  }
  throw new TaoError('corpus', `"${address}" is no address of the collection: those begin with ${CORPUS}.`, {
    fix: 'Take an address that search gave.',
  })
}

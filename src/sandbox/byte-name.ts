import { isUtf8 } from 'node:buffer'

/** A name as text: bytes that are no UTF-8 stand as `\xff`, since nothing could open the name with U+FFFD in it. */
export function nameText(name: Buffer): string {
  if (isUtf8(name)) return name.toString()
  return Array.from(name, (byte) => (byte < 0x80 ? String.fromCharCode(byte) : `\\x${byte.toString(16)}`)).join('')
}

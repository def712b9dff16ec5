const NAMED: ReadonlyMap<number, string> = new Map([
  [0x07, '\\a'],
  [0x08, '\\b'],
  [0x09, '\\t'],
  [0x0a, '\\n'],
  [0x0b, '\\v'],
  [0x0c, '\\f'],
  [0x0d, '\\r'],
  [0x22, '\\"'],
  [0x5c, '\\\\'],
])

/**
 * Git's way to write a name: what is not plain ASCII stands in quotes, its bytes as octal numbers. A space at the end does
 * too: git reads it either way, and `patch` would take it for a gap.
 */
export function diffName(path: string): string {
  if (/^[ !#-[\]-~]*[!#-[\]-~]$/.test(path)) return path
  return `"${Array.from(Buffer.from(path), quoteByte).join('')}"`
}

function quoteByte(byte: number): string {
  const named = NAMED.get(byte)
  if (named !== undefined) return named
  return byte < 0x20 || byte >= 0x7f ? `\\${byte.toString(8).padStart(3, '0')}` : String.fromCharCode(byte)
}

import picocolors from 'picocolors'

/** Marks for people. On a pipe, and where NO_COLOR is set, each gives its text back as it is. */
export interface Paint {
  readonly strong: (text: string) => string
  readonly faint: (text: string) => string
  readonly good: (text: string) => string
  readonly bad: (text: string) => string
}

export function paintFor(stream: { readonly isTTY?: boolean }): Paint {
  const { bold, dim, green, red } = picocolors.createColors(picocolors.isColorSupported && stream.isTTY === true)
  return { strong: bold, faint: dim, good: green, bad: red }
}

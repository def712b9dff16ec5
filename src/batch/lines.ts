import { createReadStream } from 'node:fs'

/** One line of a file, without its end. */
export interface Line {
  /** From 1. */
  readonly number: number
  readonly text: string
  /** Bytes of the file up to and with the end of this line. */
  readonly end: number
  /** False for what stands behind the last line feed: it was cut off while it was written. */
  readonly isWhole: boolean
}

const LINE_FEED = 0x0a

/** The lines of a file, one after the other: a file of any size takes the memory of its longest line. */
export async function* linesOf(path: string): AsyncGenerator<Line> {
  let rest: Buffer[] = []
  let number = 0
  let end = 0
  for await (const chunk of createReadStream(path) as AsyncIterable<Buffer>) {
    let from = 0
    for (let at = chunk.indexOf(LINE_FEED); at !== -1; at = chunk.indexOf(LINE_FEED, from)) {
      const bytes = Buffer.concat([...rest, chunk.subarray(from, at)])
      rest = []
      from = at + 1
      end += bytes.length + 1
      yield { number: ++number, text: bytes.toString('utf8'), end, isWhole: true }
    }
    if (from < chunk.length) rest.push(chunk.subarray(from))
  }
  const cut = Buffer.concat(rest)
  if (cut.length > 0) yield { number: number + 1, text: cut.toString('utf8'), end: end + cut.length, isWhole: false }
}

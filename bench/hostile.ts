// `npm run bench:hostile`: one piece again and again, read by every protocol at two sizes, 1 MB the larger. Where four times
// the text takes four times as long, reading is linear. The slowest are shown, with what stands before the piece.
import { parseWith } from '../test/support/bfcl-check.ts'
import { HOSTILE, OPENINGS } from '../test/support/hostile.ts'
import { WRITINGS } from '../test/support/writings.ts'

const SIZES = [262_144, 1_048_576] as const
const SHOWN = 8
const protocols = WRITINGS.filter(({ protocol }, i) => WRITINGS.findIndex((each) => each.protocol === protocol) === i)

const rows = protocols.flatMap((writing) =>
  OPENINGS.flatMap((opening) =>
    HOSTILE.map((piece) => {
      const [small, large] = SIZES.map((size) => {
        const text = opening + piece.repeat(size / piece.length)
        const begun = performance.now()
        parseWith(writing, { text }, [])
        return performance.now() - begun
      }) as [number, number]
      return { name: writing.protocol.name, opening, piece, small, large }
    }),
  ),
)
const slowest = rows.toSorted((a, b) => b.large - a.large).slice(0, SHOWN)
const [smallSum, largeSum] = rows.reduce(([a, b], { small, large }) => [a + small, b + large], [0, 0])
console.log(`${rows.length} texts of 1 MB, Node ${process.version}: ${(largeSum / rows.length).toFixed(1)} ms each,`)
console.log(`${(largeSum / smallSum).toFixed(1)} times as long as a quarter of each\n`)
console.log('| protocol | before | piece | ms at 256 KB | ms at 1 MB |\n| --- | --- | --- | --- | --- |')
for (const { name, opening, piece, small, large } of slowest)
  console.log(
    `| ${name} | \`${JSON.stringify(opening)}\` | \`${JSON.stringify(piece)}\` | ${small.toFixed(0)} | ${large.toFixed(0)} |`,
  )

// `npm run fuzz -- --replies 1000000 --seed 1`: makes replies as no model should write them and has every protocol read them.
// None may make a parser throw or hang, and no call may be run that a second reader does not find. Exit 1 when one does.
import { parseArgs } from 'node:util'
import { fuzz } from '../test/support/fuzz.ts'

const { values } = parseArgs({ options: { replies: { type: 'string' }, seed: { type: 'string' } } })
const replies = Number(values.replies ?? 100_000)
const seed = Number(values.seed ?? Date.now() % 1_000_000)
const begun = performance.now()
const { faults, counts, slowestMs } = fuzz({
  replies,
  seed,
  onThousand: (made) => process.stderr.isTTY && process.stderr.write(`\r${made} of ${replies}`),
})
const seconds = (performance.now() - begun) / 1_000
console.log(
  `${replies} replies, seed ${seed}, ${seconds.toFixed(0)} s; the slowest took ${slowestMs.toFixed(0)} ms in one protocol`,
)
for (const [what, count] of [...counts].sort()) console.log(`${String(count).padStart(10)} ${what}`)
console.log(`${faults.length} faults`)
for (const { what, protocol, reply } of faults.slice(0, 10))
  console.log(`\n${protocol}: ${what}\n${JSON.stringify(reply)}`)
process.exitCode = faults.length === 0 ? 0 : 1

// `npm run bench:kills -- 500`: kills the process of a run at every place there is, over and over, and looks what became of it.
import { EXAMPLES, exampleFaults, liveExample } from '../test/durable/examples.ts'
import { faultsOf, liveThrough, unknownCalls } from '../test/durable/kills.ts'
import type { KillPoint } from '../test/durable/lives.ts'

const WANTED = Number(process.argv[2] ?? 500)
const EFFECTS = 4

const whole = await liveThrough([])
const places: KillPoint[] = [
  ...Array.from({ length: whole.commits }, (_, i) => [`before:${i + 1}` as const, `after:${i + 1}` as const]).flat(),
  ...Array.from({ length: EFFECTS }, (_, i) => `tool:${i + 1}` as const),
]
let [kills, runs, unknown] = [0, 0, 0]
const faults: string[] = []
const began = performance.now()

/** First each place alone, then two and three of them in one run. */
while (kills < WANTED) {
  const size = runs < places.length ? 1 : 2 + (runs % 2)
  const points = Array.from({ length: size }, (_, i) => places[(runs + i * 7) % places.length] ?? 'before:1')
  const course = await liveThrough(points)
  kills += course.kills
  runs += 1
  unknown += unknownCalls(course).size
  faults.push(...faultsOf(course, whole).map((fault) => `${points.join(' ')}: ${fault}`))
  if (runs % 20 === 0) process.stderr.write(`${kills} kills, ${faults.length} faults\n`)
}

/** Each example at each of its commits. */
for (const name of EXAMPLES) {
  const undisturbed = await liveExample(name, [])
  for (let at = 1; at <= undisturbed.commits; at++)
    for (const when of ['before', 'after'] as const) {
      const course = await liveExample(name, [`${when}:${at}`])
      kills += course.kills
      runs += 1
      faults.push(...exampleFaults(course, undisturbed).map((fault) => `example ${name}, ${when}:${at}: ${fault}`))
    }
  process.stderr.write(`example ${name}: ${undisturbed.commits} commits, ${faults.length} faults\n`)
}

const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `${kills} kills in ${runs} runs (${places.length} places), ${seconds} s: ${faults.length} faults; ${unknown} outcomes reported as unknown`,
)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1

// `npm run bench:kills -- 500`: kills the process of a run at every place there is, over and over, and looks what became of it.
import { EXAMPLES, exampleFaults, liveExample } from '../test/durable/examples.ts'
import { faultsOf, liveThrough, unknownCalls } from '../test/durable/kills.ts'
import type { KillPoint } from '../test/durable/lives.ts'

const WANTED = Number(process.argv[2] ?? 500)
const EFFECTS = 4

const began = performance.now()
const faults: string[] = []
let [kills, runs, unknown] = [0, 0, 0]

for (const name of EXAMPLES) await killExample(name)
await killEventfulRun()

const seconds = ((performance.now() - began) / 1000).toFixed(0)
console.log(
  `${kills} kills in ${runs} runs, ${seconds} s: ${faults.length} faults; ${unknown} outcomes reported as unknown`,
)
for (const fault of faults) console.log(fault)
process.exitCode = faults.length === 0 ? 0 : 1

/** An example at each of its commits: before it, after it, and some milliseconds later, in the middle of what it began. */
async function killExample(name: string): Promise<void> {
  const [undisturbed, before] = [await liveExample(name, []), kills]
  for (let at = 1; at <= undisturbed.commits; at++)
    for (const when of ['before', 'after', 'within'] as const) {
      const course = await liveExample(name, [`${when}:${at}`])
      count(course.kills, unknownCalls(course).size)
      faults.push(...exampleFaults(course, undisturbed).map((fault) => `example ${name}, ${when}:${at}: ${fault}`))
    }
  tell(`example ${name}: ${undisturbed.commits} commits, ${kills - before} kills`)
}

/** A run with parallel calls, an approval and a rejection: first each place alone, then two and three of them in one run. */
async function killEventfulRun(): Promise<void> {
  const whole = await liveThrough([])
  const places: KillPoint[] = [
    ...Array.from({ length: whole.commits }, (_, i) => [`before:${i + 1}` as const, `after:${i + 1}` as const]).flat(),
    ...Array.from({ length: EFFECTS }, (_, i) => `tool:${i + 1}` as const),
  ]
  for (let run = 0; run < places.length || kills < WANTED; run++) {
    const size = run < places.length ? 1 : 2 + (run % 2)
    const points = Array.from({ length: size }, (_, i) => places[(run + i * 7) % places.length] ?? 'before:1')
    const course = await liveThrough(points)
    count(course.kills, unknownCalls(course).size)
    faults.push(...faultsOf(course, whole).map((fault) => `${points.join(' ')}: ${fault}`))
    if (run % 20 === 19) tell(`eventful run: ${run + 1} runs`)
  }
}

function count(killed: number, unknownOutcomes: number): void {
  kills += killed
  runs += 1
  unknown += unknownOutcomes
}

function tell(what: string): void {
  process.stderr.write(`${what}; ${kills} kills so far, ${faults.length} faults\n`)
}

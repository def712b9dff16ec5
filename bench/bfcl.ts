// `npm run bench:bfcl -- DIR`: every reference call of the Berkeley Function Calling Leaderboard, written and read in each
// protocol. DIR is a folder with its data; without one the sample of the tests is used. `--mutations` also prints the table of
// docs/protocols.md: what becomes of calls that are spoiled.
import { parseArgs } from 'node:util'
import { type BfclCase, readBfclFolder, readBfclSample } from '../test/support/bfcl.ts'
import { bodyOf, countMutations, countSurvivors, parseWith, renderMutations } from '../test/support/bfcl-check.ts'
import { WRITINGS, type Writing } from '../test/support/writings.ts'

const { values, positionals } = parseArgs({ allowPositionals: true, options: { mutations: { type: 'boolean' } } })
const [folder] = positionals
const cases = folder === undefined ? readBfclSample() : readBfclFolder(folder)
const all = cases.reduce((sum, { calls = [] }) => sum + calls.length, 0)
console.log(`${cases.length} cases, ${all} reference calls, Node ${process.version}\n`)
console.log('| writing | calls that come back | prose that would run | µs to read a call |\n| --- | --- | --- | --- |')
let lost = 0
for (const writing of WRITINGS) {
  const back = cases.reduce((sum, each) => sum + countSurvivors(each, writing), 0)
  const prose = cases.filter((each) => runsProse(each, writing)).length
  lost += all - back + prose
  console.log(
    `| ${writing.name} | ${back} of ${all} | ${prose} of ${cases.length} | ${timePerCall(writing, cases).toFixed(1)} |`,
  )
}
if (values.mutations) console.log(`\n${renderMutations(await countMutations(cases))}`)
process.exitCode = lost === 0 ? 0 : 1

/** Whether anything would be run of a question that is given back as a reply. */
function runsProse({ question, tools }: BfclCase, writing: Writing): boolean {
  const parsed = parseWith(writing, { text: question }, tools)
  return parsed.kind === 'calls' && parsed.calls.some(({ problem }) => problem === undefined)
}

/** Reading alone, one call a reply: the middle of five rounds. */
function timePerCall(writing: Writing, from: readonly BfclCase[]): number {
  const replies = from.flatMap(({ calls = [], tools }) =>
    calls.map((call) => ({ part: writing.wrap(call.name, [bodyOf(writing, call)]), tools })),
  )
  const rounds = Array.from({ length: 5 }, () => {
    const begun = performance.now()
    for (const { part, tools } of replies) parseWith(writing, part, tools)
    return ((performance.now() - begun) * 1000) / replies.length
  })
  return rounds.sort((a, b) => a - b)[2] ?? Number.NaN
}

// `npm run bench:policy`: the worst model there is against the flow table, on cases derived from AgentDojo v1.2.
// No model takes part, so no figure here is an AgentDojo score. What is asserted about them: test/agentdojo.test.ts.
import { cpus, loadavg } from 'node:os'
import { readSuites } from '../test/support/agentdojo/cases.ts'
import { LADDER } from '../test/support/agentdojo/lowered.ts'
import { HUMANS, measure } from '../test/support/agentdojo/measure.ts'
import { residualAuthority } from '../test/support/agentdojo/residual.ts'

const ROUNDS = 5

const started = performance.now()
const suites = readSuites()
console.log(
  `Cases read in ${(performance.now() - started).toFixed(0)} ms; ${cpus().length} cores, load ${loadavg()[0]?.toFixed(1)}.`,
)

const rows = LADDER.map((rung) => {
  const settings = rung.settings(suites)
  const measured = Array.from({ length: ROUNDS }, () => {
    const before = performance.now()
    const figures = measure(settings)
    return { figures, milliseconds: performance.now() - before }
  }).sort((a, b) => a.milliseconds - b.milliseconds)
  const middle = measured[Math.floor(ROUNDS / 2)] ?? { figures: measure(settings), milliseconds: Number.NaN }
  return { rung, ...middle, residue: residualAuthority(settings) }
})

console.log('\nWhat is asked, and what happens without asking')
console.table(
  rows.map(({ rung, figures, residue }) => ({
    policy: rung.name,
    'tasks that ask': `${figures.tasksThatAsk.length} of ${figures.tasks}`,
    prompts: figures.prompts,
    cards: figures.cards,
    'correct calls denied': figures.denied.length,
    'attacks with a silent effect': `${figures.silent.length} of ${figures.pairs}`,
    'residual calls': residue.calls,
    'tasks that leave any': residue.tasks,
  })),
)

console.log('\nWhoever is asked')
console.table(
  rows.flatMap(({ rung, figures }) =>
    HUMANS.map((human) => ({
      policy: rung.name,
      person: human,
      'tasks done': `${figures.byHuman[human].tasksDone} of ${figures.tasks}`,
      'done under attack': `${figures.byHuman[human].tasksDoneUnderAttack} of ${figures.pairs}`,
      'attacks with an effect': `${figures.byHuman[human].attacksWithEffect} of ${figures.pairs}`,
    })),
  ),
)

console.log(`\nTime: all pairs with all three persons, the middle of ${ROUNDS} rounds`)
console.table(
  rows.map(({ rung, figures, milliseconds }) => ({
    policy: rung.name,
    decisions: figures.decisions,
    'whole, ms': Math.round(milliseconds),
    'a decision, µs': Number(((milliseconds * 1000) / figures.decisions).toFixed(1)),
  })),
)

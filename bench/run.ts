// What a step of Tao costs beside a plain loop over fetch.
//   npm run bench -- [--rounds 5] [--sections steps,cold] [--help]
import { readFileSync } from 'node:fs'
import { cpus, loadavg, type as system, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import type { Placed } from './figures.ts'
import { type Lab, openLab } from './lab.ts'
import { SECTIONS, type Section } from './sections.ts'
import { table } from './table.ts'

const HELP = `Measures a step of Tao, with validation, journal and trace on, beside a plain loop over fetch that keeps nothing.

  npm run bench -- [options]

  --rounds N        rounds of each section; each round measures every runner in a fresh process (default 5)
  --sections A,B    some sections only:
${SECTIONS.map(({ name, what }) => `                      ${name.padEnd(11)} ${what}`).join('\n')}
  --samples         also print every sample, as lines of JSON, to standard error
  --help            this text

Example: npm run bench -- --rounds 3 --sections steps,cold
Ratios are taken within a round and their middle is shown. The table goes to standard output.`

const { values: given } = parseArgs({
  options: {
    rounds: { type: 'string', default: '5' },
    sections: { type: 'string', default: SECTIONS.map(({ name }) => name).join(',') },
    samples: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
})

if (given.help) console.log(HELP)
else await main(readRounds(given.rounds), readSections(given.sections))

async function main(rounds: number, sections: readonly Section[]): Promise<void> {
  const samples: Placed[] = []
  await using lab = await openLab()
  for (const section of sections) {
    samples.push(...(await measureSection(lab, section, rounds)))
    console.error(`${section.name} done, load ${loadavg()[0]?.toFixed(1)}`)
  }
  console.log(`${about(rounds, samples)}\n\n${table(samples)}`)
}

/** Runners take turns, and each round another one begins. */
async function measureSection(lab: Lab, section: Section, asked: number): Promise<Placed[]> {
  const { name, runners, jobs } = section
  const placed: Placed[] = []
  for (let round = 0; round < section.rounds(asked); round++)
    for (const [job, work] of jobs.entries())
      for (let turn = 0; turn < runners.length; turn++) {
        const runner = runners[(turn + round) % runners.length] ?? ''
        const sample = await lab.measure({ ...work, runner })
        placed.push({ ...sample, section: name, job, round, runner })
        if (given.samples) console.error(JSON.stringify(placed.at(-1)))
      }
  return placed
}

function about(rounds: number, samples: readonly Placed[]): string {
  const file = readFileSync(join(import.meta.dirname, '../package.json'), 'utf8')
  const { version, dependencies } = JSON.parse(file) as { version: string; dependencies: Record<string, string> }
  const libraries = ['undici', 'eventsource-parser', 'zod'].map((name) => `${name} ${dependencies[name]}`)
  const loads = samples.map(({ load }) => load)
  return [
    `${rounds} rounds, ${new Date().toISOString().slice(0, 10)}.`,
    `Tao ${version}, Node ${process.version}, SQLite ${process.versions.sqlite}, ${libraries.join(', ')}.`,
    `${system()} ${process.arch}, ${cpus().length} cores (${cpus()[0]?.model.trim()}), ${Math.round(totalmem() / 2 ** 30)} GB,`,
    `load ${Math.min(...loads).toFixed(1)} to ${Math.max(...loads).toFixed(1)} while it ran.`,
  ].join('\n')
}

function readRounds(text: string): number {
  const rounds = Number(text)
  if (Number.isInteger(rounds) && rounds > 0) return rounds
  return refuse(`"${text}" is not a number of rounds.`)
}

function readSections(text: string): readonly Section[] {
  return text.split(',').map((name) => SECTIONS.find((each) => each.name === name) ?? refuse(`No section "${name}".`))
}

function refuse(problem: string): never {
  console.error(`${problem} Try: npm run bench -- --help`)
  process.exit(2)
}

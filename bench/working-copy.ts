// What a working copy costs beside `cp -a` of the same tree.
//   npm run bench:copy -- [--files 1000,20000,100000] [--rounds 3] [--place DIR]
import { execFileSync } from 'node:child_process'
import { chmodSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { cpus, loadavg, tmpdir, totalmem } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { sandboxUser } from '../src/sandbox/user.ts'
import { makeWorkspace, openWorkspace } from '../src/sandbox/working-copy.ts'

const HELP = `Measures a working copy (copied, hashed, old text kept) beside cp -a of the same tree, in turns.

  npm run bench:copy -- [options]

  --files A,B    sizes of the trees (default 1000,20000,100000)
  --rounds N     rounds of each (default 3)
  --place DIR    where the trees are made, such as a file system with copy-on-write (default: the temporary folder)
  --help         this text

Example: npm run bench:copy -- --files 1000 --rounds 5`

const { values: given } = parseArgs({
  options: {
    files: { type: 'string', default: '1000,20000,100000' },
    rounds: { type: 'string', default: '3' },
    place: { type: 'string', default: tmpdir() },
    help: { type: 'boolean', default: false },
  },
})

interface Round {
  readonly cp: number
  readonly copy: number
  readonly changes: number
  readonly reopened: number
  readonly cpuRatio: number
}

/** Source files of 0.4 to 4 kB, 50 in a folder. */
function writeTree(root: string, files: number): void {
  for (let n = 0; n < files; n++) {
    const folder = join(root, `package${Math.floor(n / 1000)}`, `module${Math.floor(n / 50)}`)
    if (n % 50 === 0) mkdirSync(folder, { recursive: true })
    writeFileSync(join(folder, `file${n}.ts`), `export const value${n} = ${n}\n`.repeat(15 + ((n * 7) % 120)))
  }
}

async function measure(folder: string, round: number): Promise<Round> {
  const source = join(folder, 'source')
  const [plain, place] = [join(folder, `cp${round}`), join(folder, `place${round}`)]
  const cp = await timed(async () => {
    execFileSync('bash', ['-c', 'cp -a "$1" "$2"; times >"$3"', 'cp', source, plain, join(folder, 'times')])
  })
  const before = process.cpuUsage()
  const copy = await timed(() => makeWorkspace({ source, place, protect: [] }))
  const used = process.cpuUsage(before)
  const workspace = copy.value
  const changes = await timed(() => workspace.changes())
  const reopened = await timed(async () => (await openWorkspace(workspace.record)).treeHash())
  for (const path of [plain, place]) execFileSync('rm', ['-rf', path])
  const cpuRatio = (used.user + used.system) / 1000 / childTime(join(folder, 'times'))
  return { cp: cp.ms, copy: copy.ms, changes: changes.ms, reopened: reopened.ms, cpuRatio }
}

async function timed<T>(work: () => Promise<T>): Promise<{ readonly ms: number; readonly value: T }> {
  const start = performance.now()
  const value = await work()
  return { ms: performance.now() - start, value }
}

/** Milliseconds of processor time of the children, from the second line of bash's `times`. */
function childTime(file: string): number {
  const line = execFileSync('sed', ['-n', '2p', file], { encoding: 'utf8' })
  return [...line.matchAll(/(\d+)m([\d.]+)s/g)].reduce((sum, [, m, s]) => sum + (Number(m) * 60 + Number(s)) * 1000, 0)
}

const middle = (values: readonly number[]): number =>
  [...values].sort((a, b) => a - b)[values.length >> 1] ?? Number.NaN

async function main(): Promise<void> {
  const lines: string[] = []
  for (const files of given.files.split(',').map(Number)) {
    const folder = mkdtempSync(join(given.place, 'tao-bench-copy-'))
    chmodSync(folder, 0o755)
    try {
      writeTree(join(folder, 'source'), files)
      const rounds: Round[] = []
      for (let round = 0; round < Number(given.rounds); round++) rounds.push(await measure(folder, round))
      lines.push(row(files, rounds))
    } finally {
      rmSync(folder, { recursive: true })
    }
    console.error(`${files} files done, load ${loadavg()[0]?.toFixed(1)}`)
  }
  console.log(
    `${given.rounds} rounds, Node ${process.version}, ${cpus().length} cores, ${Math.round(totalmem() / 2 ** 30)} GB, as ${sandboxUser().dropped ? 'root, so every file changes hands' : 'a normal user'}.\n`,
  )
  const head = [
    'files',
    'cp -a, ms per 1,000',
    'working copy',
    'ratio, time',
    'ratio, CPU',
    'changes()',
    'treeHash() of a reopened copy',
  ]
  console.log([head, head.map(() => '---')].map((cells) => `| ${cells.join(' | ')} |`).join('\n'))
  console.log(lines.join('\n'))
}

function row(files: number, rounds: readonly Round[]): string {
  const per = (pick: (round: Round) => number) => ((middle(rounds.map(pick)) * 1000) / files).toFixed(1)
  const ratios = rounds.map(({ cp, copy }) => copy / cp)
  const [from, to] = [Math.min(...ratios), Math.max(...ratios)]
  const cells = [
    files.toLocaleString('en'),
    per(({ cp }) => cp),
    per(({ copy }) => copy),
    `${middle(ratios).toFixed(2)}× (${from.toFixed(2)}–${to.toFixed(2)})`,
    `${middle(rounds.map(({ cpuRatio }) => cpuRatio)).toFixed(2)}×`,
    per(({ changes }) => changes),
    per(({ reopened }) => reopened),
  ]
  return `| ${cells.join(' | ')} |`
}

if (given.help) console.log(HELP)
else await main()

import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { readAllowList } from '../../src/sandbox/allow-list.ts'
import type { Attempt, Finding } from './attempt.ts'
import { ATTEMPTS } from './attempts.ts'
import { LIMITS } from './bait.ts'
import { inNaive, inTao, openStage, type Stage } from './stage.ts'

/** What one user found: by number of the attempt. */
export interface Findings {
  readonly tao: Readonly<Record<number, Finding>>
  /** The same programs in Tao's sandbox when one host may be reached; made by the user only. */
  readonly withNetwork?: Readonly<Record<number, Finding>>
  /** Missing for root: there it would be no harmless trial. */
  readonly naive?: Readonly<Record<number, Finding>>
  /** Protected paths that were changed in Tao's working copy, when all was over. */
  readonly disturbed: readonly string[]
}

const PYTHON = ['/usr/bin/python3', '.escape/driver.py']
const LONGEST = 120_000

/** Makes all attempts as the user that this process is. */
export async function makeAttempts(stage: Stage, withNaive: boolean): Promise<Findings> {
  const { workspace, source, outside } = stage
  const taoBait = { ...stage.host.bait, copy: workspace.view.copy, outside: outside.tao }
  const programs = ATTEMPTS.filter(({ program }) => program !== undefined)
  writeList(workspace.view.copy, programs, taoBait)
  const limits = { ...LIMITS, wallTime: LONGEST }
  const inside = { argv: PYTHON, limits }
  const answer = await inTao(workspace.view, '', inside)
  const tao = readFindings(answer.stdout.text + answer.stderr.text)
  for (const { number, tryTao } of ATTEMPTS) if (tryTao !== undefined) tao[number] = await finding(() => tryTao(stage))
  if (!withNaive) return { tao, disturbed: await workspace.disturbed() }
  const connected = await inTao(workspace.view, '', { ...inside, network: readAllowList(['registry.example']) })
  const withNetwork = readFindings(connected.stdout.text + connected.stderr.text)
  const naiveBait = { ...stage.host.bait, copy: source, outside: outside.naive }
  const harmless = programs.filter(({ naive }) => typeof naive === 'string')
  writeList(source, harmless, naiveBait)
  const naive = readFindings(await inNaive(stage, PYTHON))
  for (const { number, tryNaive } of ATTEMPTS)
    if (tryNaive !== undefined) naive[number] = await finding(() => tryNaive(stage))
  return { tao, withNetwork, naive, disturbed: await workspace.disturbed() }
}

function writeList(tree: string, attempts: readonly Attempt[], bait: object): void {
  const list = attempts.map(({ number, program }) => ({ number, program }))
  writeFileSync(join(tree, '.escape/list.json'), JSON.stringify({ bait, attempts: list }))
}

function readFindings(output: string): Record<number, Finding> {
  const found: Record<number, Finding> = {}
  for (const line of output.split('\n').filter((text) => text !== '')) {
    if (!line.startsWith('{')) throw new Error(`The attempts ended early: ${output.slice(-2_000)}`)
    const { number, ...finding } = JSON.parse(line) as Finding & { readonly number: number }
    found[number] = finding
  }
  return found
}

async function finding(attempt: () => Promise<Finding>): Promise<Finding> {
  try {
    return await attempt()
  } catch (error) {
    return { verdict: 'broken', detail: error instanceof Error ? (error.stack ?? error.message) : String(error) }
  }
}

/** Called by launcher.py: folder, where to put the findings, with or without the naive sandbox, shared memory. */
if (import.meta.main) {
  const [folder = '', result = '', naive, memory] = process.argv.slice(2)
  const secret = process.env.TAO_ESCAPE_KEY ?? ''
  await using stage = await openStage({ folder, secret, sharedMemory: Number(memory) })
  writeFileSync(result, JSON.stringify(await makeAttempts(stage, naive === 'naive')))
}

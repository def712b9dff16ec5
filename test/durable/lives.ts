import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { join } from 'node:path'
import type { Event } from '../../src/core/event.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'

const HOOK = join(import.meta.dirname, 'kill-hook.mjs')

/** Where a process is killed: `before:N` and `after:N` commits, `within:N` soon after, `tool:N` in the n-th effect. `count`: it lives. */
export type KillPoint = `${'before' | 'after' | 'within' | 'tool'}:${number}` | 'count'

export interface Lives {
  /** Processes that were killed. */
  readonly kills: number
  /** Commits of the last process. */
  readonly commits: number
}

/** What starts a run, or goes on with it; undefined once it has ended. */
export type NextLife = () => Promise<readonly string[] | undefined>

/** One process after the other, each killed where its point says; the last one lives. */
export async function live(points: readonly KillPoint[], next: NextLife, env: NodeJS.ProcessEnv = {}): Promise<Lives> {
  let [kills, commits] = [0, 0]
  for (const point of [...points, 'count' as const]) {
    const argv = await next()
    if (argv === undefined) break
    const { code, signal, said } = await oneLife(argv, { ...process.env, ...env, TAO_TEST_KILL: point })
    const isKilled = signal === 'SIGKILL'
    if (!isKilled && code !== 0) throw new Error(said)
    if (isKilled && point === 'count') throw new Error(`The last process was killed: ${said}`)
    if (isKilled) kills += 1
    commits = Number(/commits: (\d+)/.exec(said)?.[1] ?? commits)
  }
  return { kills, commits }
}

async function oneLife(argv: readonly string[], env: NodeJS.ProcessEnv) {
  const child = spawn(process.execPath, ['--disable-warning=ExperimentalWarning', '--import', HOOK, ...argv], {
    env,
    stdio: ['ignore', 'ignore', 'pipe'],
  })
  let said = ''
  child.stderr.on('data', (text) => {
    said += text
  })
  const [code, signal] = (await once(child, 'close')) as [number | null, NodeJS.Signals | null]
  return { code, signal, said }
}

/** The events of the one run of a journal. */
export async function eventsOf(path: string): Promise<readonly Event[]> {
  const journal = openSqliteJournal(path)
  try {
    const [run] = await journal.runs()
    return run === undefined ? [] : await journal.read(run.run)
  } finally {
    await journal.close()
  }
}

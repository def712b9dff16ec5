import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { chmod, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import type { Event } from '../../src/core/event.ts'
import { openSqliteJournal } from '../../src/journal/sqlite.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { openTerminal, type Terminal } from './terminal.ts'

const MAIN = new URL('../../src/cli/main.ts', import.meta.url).pathname

/** What a terminal obeys instead of showing, line ends aside. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what must not come through
export const STEERS_TERMINAL = /[\x00-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e]/

/** Starting the command costs half as much when its sources are compiled already. */
const COMPILED = join(tmpdir(), 'tao-tests-compiled')

export interface Ended {
  readonly code: number | null
  readonly signal: NodeJS.Signals | null
  readonly stdout: string
  readonly stderr: string
}

export interface Started {
  readonly child: ChildProcess
  readonly ended: Promise<Ended>
  /** Resolves when a text has come on standard error. */
  said(text: string): Promise<void>
}

/** The command, with a state directory and a project folder of its own. */
export interface TaoCommand extends AsyncDisposable {
  readonly home: string
  /** Where the command is called, and what runs work on: `project`. */
  readonly folder: string
  readonly project: string
  start(args: readonly string[], env?: Readonly<Record<string, string>>): Started
  run(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Ended>
  /** The command in a terminal, with a person before it. */
  openTerminal(args: readonly string[], env?: Readonly<Record<string, string>>): Promise<Terminal>
  write(path: string, text: string): Promise<string>
  /** Writes a script; gives the arguments that choose it. */
  script(replies: readonly ScriptReply[], name?: string): Promise<readonly [string, string]>
  /** Every run in the journal, newest first, with its events. */
  journal(): Promise<readonly (readonly Event[])[]>
}

/** `files` stand in the project folder. */
export async function openTao(files: Readonly<Record<string, string>> = {}): Promise<TaoCommand> {
  const folder = await mkdtemp(join(tmpdir(), 'tao-cli-'))
  const home = join(folder, 'state')
  const project = join(folder, 'project')
  // Commands of a run that root starts run as another user, who must get through.
  await chmod(folder, 0o711)
  await mkdir(project)
  const write = async (path: string, text: string): Promise<string> => {
    const target = join(folder, path)
    await mkdir(dirname(target), { recursive: true })
    await writeFile(target, text)
    return target
  }
  for (const [path, text] of Object.entries(files)) await write(`project/${path}`, text)
  const environment = { PATH: process.env.PATH ?? '', TAO_HOME: home, NODE_COMPILE_CACHE: COMPILED }
  const start = (args: readonly string[], env: Readonly<Record<string, string>> = {}): Started =>
    startCommand(args, { cwd: folder, env: { ...environment, ...env } })
  return {
    home,
    folder,
    project,
    start,
    run: (args, env) => start(args, env).ended,
    openTerminal: (args, env) =>
      openTerminal({ program: process.execPath, args: [MAIN, ...args], cwd: folder, env: { ...environment, ...env } }),
    write,
    async script(replies, name = 'script.json') {
      await write(name, JSON.stringify(replies))
      return ['--model', `scripted/${name}`]
    },
    journal: () => readJournal(join(home, 'journal.sqlite')),
    [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }),
  }
}

function startCommand(args: readonly string[], options: { cwd: string; env: Record<string, string> }): Started {
  const child = spawn(process.execPath, [MAIN, ...args], { ...options, stdio: ['ignore', 'pipe', 'pipe'] })
  const output = { stdout: '', stderr: '' }
  for (const name of ['stdout', 'stderr'] as const)
    child[name].setEncoding('utf8').on('data', (text: string) => {
      output[name] += text
    })
  const ended = new Promise<Ended>((resolve, reject) => {
    child.once('error', reject)
    child.once('close', (code, signal) => resolve({ code, signal, ...output }))
  })
  const said = async (text: string): Promise<void> => {
    while (!output.stderr.includes(text)) {
      if (child.exitCode !== null) throw new Error(`The command ended without saying "${text}":\n${output.stderr}`)
      await wait(10)
    }
  }
  return { child, ended, said }
}

async function readJournal(path: string): Promise<readonly (readonly Event[])[]> {
  if (!existsSync(path)) return []
  const journal = openSqliteJournal(path)
  try {
    return await Promise.all((await journal.runs()).map(({ run }) => journal.read(run)))
  } finally {
    await journal.close()
  }
}

/** The events that `--json` printed. */
export const eventsIn = ({ stdout }: Ended): Event[] =>
  stdout
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Event)

import { z } from 'zod'
import { describeEnd } from '../sandbox/exit.ts'
import type { Captured, CommandResult, SandboxLimits } from '../sandbox/sandbox.ts'
import { PROGRAM } from './call-inside.ts'
import { tool } from './define.ts'
import type { Place } from './place.ts'
import type { PythonFound } from './python-found.ts'
import { plainText } from './terminal-text.ts'
import type { Tool } from './tool.ts'

/** The original's. */
const SECONDS = 50
/** For the sandbox to end what is left and to answer. */
const MARGIN_SECONDS = 10

/** Where programs run: without a working copy, in an empty folder that is gone after each call. */
export type PythonPlace = Omit<Place, 'view'> & Partial<Pick<Place, 'view'>>

/** The model is told so many at most. */
const MOST_PACKAGES = 150

const input = z.object({
  code: z.string().regex(/\S/, 'It cannot be empty.').describe('The whole program. Print what you want to see.'),
})

/** Runs Python in the sandbox, each program in a process of its own. `found` is told to the model. */
export function python(place: PythonPlace, { version, packages }: PythonFound): Tool {
  const hasNetwork = place.sandbox.name === 'external' || place.network !== undefined
  const others = ['the standard library', ...packages.slice(0, MOST_PACKAGES)].join(', ')
  const files =
    place.view === undefined ? 'It starts in an empty folder that is gone afterwards' : 'It starts in the workspace'
  return tool({
    name: 'python',
    description: `Runs a Python ${version} program and gives what it printed. Each call is a new process: nothing is kept from earlier calls, so every program has to be whole. ${files}. ${hasNetwork ? '' : 'No network. '}At most ${SECONDS} seconds. Installed: ${others}.`,
    input,
    effects: [place.view === undefined ? 'read' : 'write', ...(hasNetwork ? (['egress'] as const) : [])],
    timeLimit: (SECONDS + MARGIN_SECONDS) * 1000,
    async run({ code }, { signal }) {
      const limits = { ...place.limits, wallTime: Math.min(SECONDS * 1000, place.limits?.wallTime ?? SECONDS * 1000) }
      const result = await runProgram({ place, program: programIn(code), limits }, signal)
      return report(result, limits)
    },
  })
}

/** Models put programs into the tags of one protocol or the fence of another, also where neither belongs. */
export function programIn(code: string): string {
  const inner = /^\s*<code>([\s\S]*?)(?:<\/code>\s*)?$/.exec(code)?.[1] ?? code
  return /^\s*```(?:python3?|py)?[ \t]*\n([\s\S]*?)\n?```\s*$/.exec(inner)?.[1] ?? inner.replace(/^\s*\n/, '')
}

interface Program {
  readonly place: PythonPlace
  readonly program: string
  readonly limits: Partial<SandboxLimits>
}

/** From a file, so that a traceback shows its lines; what the program imports may lie in the workspace. */
const START = 'cat >/tmp/program.py && PYTHONPATH=. exec python3 -B /tmp/program.py </dev/null'

function runProgram({ place, program, limits }: Program, signal: AbortSignal): Promise<CommandResult> {
  const { sandbox, view, network } = place
  const command = {
    argv: ['/bin/bash', '-c', START],
    stdin: program.toWellFormed(),
    // As all other tools have it, so that a sandbox that waits serves this one too.
    readOnly: PROGRAM,
    limits,
    ...(view === undefined ? {} : { view }),
    ...(network === undefined ? {} : { network }),
  }
  return sandbox.run(command, signal)
}

function report(result: CommandResult, limits: Partial<SandboxLimits>) {
  const end = describeEnd(result, limits)
  const blocks = [
    ...(end === undefined ? [] : [end]),
    ...block('stdout', result.stdout),
    ...block('stderr', result.stderr),
    ...(result.exit === 0 || end !== undefined ? [] : [`exit code: ${result.exit}`]),
  ]
  const text = blocks.length === 0 ? 'Finished. Nothing was printed.' : blocks.join('\n')
  const truncated = result.stdout.truncated || result.stderr.truncated ? { truncated: true } : {}
  return { ok: result.limit === undefined, text, exit: result.exit, ...truncated }
}

function block(name: string, { text, bytes, truncated }: Captured): string[] {
  const shown = plainText(text).trimEnd()
  if (shown === '') return []
  return [`${name}${truncated ? ` (truncated: ${bytes} bytes were written, the middle is left out)` : ''}:`, shown]
}

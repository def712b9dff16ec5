import { readFileSync } from 'node:fs'
import { Command, Option } from 'commander'
import type { ApplyFlags, CleanFlags, JsonFlag, RunFlags } from './flags.ts'
import { LIMIT_FLAGS, LIMIT_NAMES } from './limit-flags.ts'

const EXIT_CODES = `
Exit codes of a run: 0 proved or answered, 1 failed, 2 wrong usage, 3 blocked (such as: no sandbox), 4 a limit, 130 cancelled.
Runs are kept in the state directory: TAO_HOME, else where your system keeps state. TAO_DEBUG=1 shows stacks.`

/** The commands and their options. What a command does is imported when it is used: help must not wait for it. */
export function buildProgram(): Command {
  const program = new Command('tao')
    .description('A ReAct agent: the model asks, code checks, runs, records and proves.')
    .version(readVersion(), '-v, --version', 'print the version')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .addHelpText(
      'after',
      `${EXIT_CODES}\n${example('tao run "Find why the test fails and fix it" --workspace . --done "npm test"')}`,
    )
  addRun(program)
  addLooking(program)
  addTaking(program)
  addClean(program)
  addDoctor(program)
  return program
}

function addRun(program: Command): void {
  const run = command(
    program,
    'run',
    'Do a task: a sentence in quotes, or a task file.',
    'tao run fix.task.yaml --model-calls 10',
  )
    .argument('<task>', 'a sentence in quotes, or the path of a *.task.yaml')
    .option('-w, --workspace <dir>', 'the folder to work on; the run works on a copy of it')
    .option('-p, --protect <path>', 'a path in it that no tool can change; may be repeated', add)
    .option('--done <command>', 'must end with exit code 0 before the run is a success; may be repeated', add)
    .option('-t, --tools <names>', 'the tools the model gets, with commas; "" for none', split)
    .option('-m, --model <name>', 'provider/model, such as deepseek/deepseek-chat')
    .option('--protocol <name>', 'how calls are written: native, tagged, thought-action, agent-calls')
    .option('--sandbox <name>', 'bubblewrap, or external: the container that Tao runs in is the sandbox')
    .option('--base-url <address>', 'address of the model service')
    .option('--apply', 'write the changes into the workspace when the result is proved')
    .option('--stream', 'ask for replies in pieces')
    .option('-q, --quiet', 'show the end only')
  for (const name of LIMIT_NAMES) {
    const [flag, value, what] = LIMIT_FLAGS[name]
    run.addOption(new Option(`${flag} <${value}>`, `limit: ${what}`))
  }
  run.action(async (task: string, flags: RunFlags) => (await import('./run-command.ts')).runCommand(task, flags))
}

function addLooking(program: Command): void {
  command(program, 'runs', 'List runs, newest first.', 'tao runs').action(async (flags: JsonFlag) =>
    (await import('./runs-command.ts')).runsCommand(flags),
  )
  command(program, 'show', 'Show the steps of a run.', 'tao show latest')
    .argument('[run]', RUN, 'latest')
    .action(async (run: string, flags: JsonFlag) => (await import('./show-command.ts')).showCommand(run, flags))
  command(program, 'diff', 'Show what a run changed, as a unified diff.', 'tao diff latest | less')
    .argument('[run]', RUN, 'latest')
    .action(async (run: string, flags: JsonFlag) => (await import('./diff-command.ts')).diffCommand(run, flags))
}

function addTaking(program: Command): void {
  command(program, 'apply', 'Write what a run changed into the folder it was started on.', 'tao apply 20261130-0714')
    .argument('<run>', RUN)
    .option('--unproved', 'also when nothing proves the result')
    .action(async (run: string, flags: ApplyFlags) => (await import('./apply-command.ts')).applyCommand(run, flags))
}

function addClean(program: Command): void {
  command(program, 'clean', 'Remove working copies of ended runs. Their record stays.', 'tao clean --older-than 7d')
    .argument('[runs...]', RUN)
    .option('--older-than <time>', 'those of runs that ended that long ago, such as 12h or 7d')
    .option('--all', 'those of all runs that have ended')
    .action(async (runs: string[], flags: CleanFlags) => (await import('./clean-command.ts')).cleanCommand(runs, flags))
}

function addDoctor(program: Command): void {
  command(program, 'doctor', 'Look whether everything is there, and say how to mend what is not.', 'tao doctor').action(
    async (flags: JsonFlag) => (await import('./doctor-command.ts')).doctorCommand(flags),
  )
}

const RUN = 'id of a run, the beginning of one, or "latest"'

function command(program: Command, name: string, description: string, line: string): Command {
  return program
    .command(name)
    .description(description)
    .helpOption('-h, --help', 'show this')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', example(line))
}

const example = (line: string): string => `\nExample:\n  ${line}`

const add = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value]

const split = (value: string): string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

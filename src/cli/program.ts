import { readFileSync } from 'node:fs'
import { Command } from 'commander'
import { addBatch } from './batch-options.ts'
import { add, addLimits, CORPUS, command, example, LANGUAGE, PROTOCOL, QUIET, RUN, split } from './command.ts'
import type {
  ApplyFlags,
  ApproveFlags,
  CleanFlags,
  DenyFlags,
  JsonFlag,
  ResumeFlags,
  RunFlags,
  RunsFlags,
  ShowFlags,
  ToolsFlags,
} from './flags.ts'
import { addReplaying } from './replay-options.ts'
import { addScore } from './score-options.ts'

const EXIT_CODES = `
Exit codes of a run: 0 proved or answered, 1 failed, 2 wrong usage, 3 blocked (such as: no sandbox), 4 a limit,
5 waits for an answer, 130 cancelled.
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
  addBatch(program)
  addScore(program)
  addGoingOn(program)
  addLooking(program)
  addReplaying(program)
  addRuns(program)
  addTaking(program)
  addClean(program)
  addTools(program)
  addPolicy(program)
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
    .option('--corpus <dir>', CORPUS)
    .option('-p, --protect <path>', 'a path in it that no tool can change; may be repeated', add)
    .option('--done <command>', 'must end with exit code 0 before the run is a success; may be repeated', add)
    .option('-t, --tools <names>', 'the tools the model gets, with commas; "" for none', split)
    .option('-m, --model <name>', 'provider/model, such as deepseek/deepseek-chat')
    .option('--protocol <name>', PROTOCOL)
    .option('--language <code>', LANGUAGE)
    .option('--sandbox <name>', 'bubblewrap, or external: the container that Tao runs in is the sandbox')
    .option('--base-url <address>', 'address of the model service')
    .option('--policy <policy>', `what the tools may do: ${POLICY}`)
    .option('--client <id>', 'on whose behalf; default: local')
    .option('--bind <name=value>', 'what the policy fills arguments with: account, tenant, user; may be repeated', add)
    .option('--attach <file>', 'a text the model is shown, "-" for standard input; may be repeated', add)
    .option('--preset <name>', 'do this with the words as a question: research, or a task file with {{question}} in it')
    .option('--explain', 'print what counts as done, what is allowed and when it ends; run nothing')
    .option('--apply', APPLY)
    .option('--stream', 'ask for replies in pieces')
    .option('-q, --quiet', QUIET)
  addLimits(run)
  run.action(async (task: string, flags: RunFlags) => (await import('./run-command.ts')).runCommand(task, flags))
}

const GOES_ON = `
What can go on: a run that waits for an answer; one whose process was ended, at whatever point (nothing that took effect is
repeated); one that a limit ended, with that limit raised; one that was cancelled, failed or was blocked; and one that ended
well, with a new word for it.`

function addGoingOn(program: Command): void {
  const resume = command(program, 'resume', 'Go on with a run.', 'tao resume latest --say "Use tabs." --model-calls 30')
    .argument('<run>', RUN)
    .option('--say <words>', 'what the user says now; what waits for an answer is given up')
    .option('-m, --model <name>', 'another model from here on')
    .option('--protocol <name>', PROTOCOL)
    .option('--policy <policy>', `another policy from here on: ${POLICY}`)
    .option('--apply', APPLY)
    .option('-q, --quiet', QUIET)
    .addHelpText('after', GOES_ON)
  addLimits(resume)
  resume.action(async (run: string, flags: ResumeFlags) =>
    (await import('./resume-command.ts')).resumeCommand(run, flags),
  )
  answering(program, 'approve', 'Let a call run that waits for an answer.', 'tao approve latest')
    .option('--edit <json>', 'with these arguments instead, as one JSON object, or @FILE of it; decided on again')
    .action(async (run: string, call: string | undefined, flags: ApproveFlags) =>
      (await import('./approve-command.ts')).approveCommand(run, call, flags),
    )
  answering(program, 'deny', 'Do not let it run.', 'tao deny latest --reason "Not on a Friday."')
    .option('--reason <words>', 'why; the model is told')
    .action(async (run: string, call: string | undefined, flags: DenyFlags) =>
      (await import('./approve-command.ts')).denyCommand(run, call, flags),
    )
}

const answering = (program: Command, name: string, description: string, line: string): Command =>
  command(program, name, description, line)
    .argument('<run>', RUN)
    .argument('[call]', 'id of the call; may be left out when only one waits')
    .option('--no-resume', 'only record the answer; tao resume goes on')
    .option('--apply', APPLY)
    .option('-q, --quiet', QUIET)

function addLooking(program: Command): void {
  command(program, 'show', 'Show the steps of a run, or of two side by side.', 'tao show latest')
    .argument('[run]', RUN, 'latest')
    .argument('[other]', 'another one: both are shown from where they part')
    .option('--why', 'say where a run that did not succeed left the path')
    .action(async (run: string, other: string | undefined, flags: ShowFlags) => {
      const { showCommand, showTwoCommand } = await import('./show-command.ts')
      await (other === undefined ? showCommand(run, flags) : showTwoCommand(run, other, flags))
    })
  command(program, 'diff', 'Show what a run changed, as a unified diff.', 'tao diff latest | less')
    .argument('[run]', RUN, 'latest')
    .action(async (run: string, flags: JsonFlag) => (await import('./diff-command.ts')).diffCommand(run, flags))
}

function addRuns(program: Command): void {
  const runs = command(
    program,
    'runs',
    'List runs, newest first, or tidy them up.',
    'tao runs --prune --older-than 30d',
  )
    .helpCommand(false)
    .option(
      '--prune',
      'remove the runs that are meant, with their working copies and results; only shown without --yes',
    )
    .option('--older-than <time>', 'those that ended that long ago, such as 12h or 30d')
    .option('--larger-than <size>', 'those whose events and working copy have more, such as 100MB')
    .option('--status <names>', 'those that ended so, with commas; or waiting, or unfinished', split)
    .option('--yes', 'do it')
    .action(async (flags: RunsFlags) => (await import('./runs-command.ts')).runsCommand(flags))
  command(runs, 'export', 'Write runs to one file, with the results they speak of.', 'tao runs export latest run.jsonl')
    .argument('<runs...>', `${RUN}; last, a file that is not there yet`)
    .action(async (names: string[], flags: JsonFlag) =>
      (await import('./run-file-commands.ts')).exportCommand(names, flags),
    )
  command(runs, 'import', 'Take in runs that were exported elsewhere.', 'tao runs import run.jsonl')
    .argument('<file>', 'what tao runs export has written')
    .action(async (file: string, flags: JsonFlag) =>
      (await import('./run-file-commands.ts')).importCommand(file, flags),
    )
  command(program, 'verify', 'Say whether a run is what was recorded.', 'tao verify latest')
    .argument('[run]', RUN, 'latest')
    .action(async (run: string, flags: JsonFlag) => (await import('./verify-command.ts')).verifyCommand(run, flags))
}

function addTaking(program: Command): void {
  command(program, 'apply', 'Write what a run changed into the folder it was started on.', 'tao apply 20261130-0714')
    .argument('<run>', RUN)
    .option('--unproved', 'also when nothing proves the result')
    .action(async (run: string, flags: ApplyFlags) => (await import('./apply-command.ts')).applyCommand(run, flags))
}

function addClean(program: Command): void {
  command(
    program,
    'clean',
    'Remove working copies of ended runs, and indexes of documents. The record stays.',
    'tao clean --older-than 7d',
  )
    .argument('[runs...]', RUN)
    .option('--older-than <time>', 'those of runs that ended, and indexes not used, for so long, such as 12h or 7d')
    .option('--all', 'those of all runs that have ended, and all indexes')
    .action(async (runs: string[], flags: CleanFlags) => (await import('./clean-command.ts')).cleanCommand(runs, flags))
}

function addTools(program: Command): void {
  command(
    program,
    'tools',
    'List the tools of a task, or show what its model is told.',
    'tao tools fix.task.yaml --prompt',
  )
    .argument('[task]', 'as for run; without one, what a task with a workspace has')
    .option('--protocol <name>', PROTOCOL)
    .option('--language <code>', LANGUAGE)
    .option('--prompt', 'print the system message that would be sent')
    .action(async (task: string | undefined, flags: ToolsFlags) =>
      (await import('./tools-command.ts')).toolsCommand(task, flags),
    )
}

function addPolicy(program: Command): void {
  const policy = program
    .command('policy')
    .description('Look at what a policy permits.')
    .helpOption('-h, --help', 'show this')
    .helpCommand(false)
    .addHelpText('after', example('tao policy check bank'))
  command(policy, 'check', 'Say what each tool may do, and try the examples.', 'tao policy check mine.yaml')
    .argument('<policy>', POLICY)
    .action(async (file: string, flags: JsonFlag) =>
      (await import('./policy-command.ts')).policyCheckCommand(file, flags),
    )
  command(policy, 'try', 'Say what it decides on one call, and why.', 'tao policy try bank call.json')
    .argument('<policy>', POLICY)
    .argument('<call>', 'a file with tool and args, and words, marks and more of the run if they matter')
    .action(async (file: string, call: string, flags: JsonFlag) =>
      (await import('./policy-command.ts')).policyTryCommand(file, call, flags),
    )
}

const POLICY = 'coding, bank, research, or the path of a file'

function addDoctor(program: Command): void {
  command(program, 'doctor', 'Look whether everything is there, and say how to mend what is not.', 'tao doctor').action(
    async (flags: JsonFlag) => (await import('./doctor-command.ts')).doctorCommand(flags),
  )
}

const APPLY = 'write the changes into the workspace when the result is proved'

function readVersion(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  return (JSON.parse(text) as { readonly version: string }).version
}

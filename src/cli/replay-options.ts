import type { Command } from 'commander'
import { addLimits, command, PROTOCOL, QUIET, RUN } from './command.ts'
import type { FixtureFlags, ForkFlags, ReplayFlags } from './flags.ts'

const FROM = `
The new run begins with what the other one had done, and with its working copy as it was then. The other one is left as it is.`

/** What is done with runs that are on record: replay, fork, fixture. */
export function addReplaying(program: Command): void {
  command(program, 'replay', 'Drive a run again from its record, and say what would differ.', 'tao replay latest')
    .argument('[run]', RUN, 'latest')
    .option('--task <file>', 'with this task file as it is now, in place of what the run was asked')
    .option('--live-tools', 'run the real tools, in a fresh working copy, with the replies on record')
    .option('--live-model', 'ask the real model, with the results on record')
    .action(async (run: string, flags: ReplayFlags) => (await import('./replay-command.ts')).replayCommand(run, flags))
  const fork = command(
    program,
    'fork',
    'Start a new run from a step of another one.',
    'tao fork latest --at 3 --say "Use tabs."',
  )
    .argument('<run>', RUN)
    .requiredOption('--at <step>', 'the step after which it begins; 0 is the start')
    .option('--say <words>', 'what the user says then')
    .option('-m, --model <name>', 'another model')
    .option('--protocol <name>', PROTOCOL)
    .option('--policy <policy>', 'another policy')
    .option('--apply', 'write the changes into the workspace when the result is proved')
    .option('-q, --quiet', QUIET)
    .addHelpText('after', FROM)
  addLimits(fork)
  fork.action(async (run: string, flags: ForkFlags) => (await import('./fork-command.ts')).forkCommand(run, flags))
  command(
    program,
    'fixture',
    'Keep a run as a test: its events, without secrets.',
    'tao fixture latest --out run.jsonl',
  )
    .argument('[run]', RUN, 'latest')
    .option('--out <file>', 'a file that is not there yet; default: standard output')
    .action(async (run: string, flags: FixtureFlags) =>
      (await import('./fixture-command.ts')).fixtureCommand(run, flags),
    )
}

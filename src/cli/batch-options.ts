import type { Command } from 'commander'
import { add, addLimits, CORPUS, command, PROTOCOL, QUIET, split } from './command.ts'
import type { BatchFlags } from './flags.ts'

const GOES_ON = `
The first Ctrl-C begins nothing more and finishes what is running; the second ends the command. Whatever ends it, --resume
goes on: what has its record is left alone, what was under way is taken up from its journal.
Exit codes: 0 every rollout has its record, 1 some of them were not really tried, 2 wrong usage, 4 a limit of the batch,
5 some wait for an answer, 130 finished early.`

export function addBatch(program: Command): void {
  const batch = command(
    program,
    'batch',
    'Run a task for every question of a dataset.',
    'tao batch questions.jsonl --task research --out results --rollouts 3',
  )
    .argument('<dataset>', 'a *.json with a list of objects, or a *.jsonl with one object a line')
    .requiredOption('--task <task>', 'what to do with a question: research, or a task file with {{question}} in it')
    .requiredOption('--out <dir>', 'where the results go; only ever appended to')
    .option('-m, --model <name>', 'provider/model, such as deepseek/deepseek-chat')
    .option('--base-url <address>', 'address of the model service; repeated, rows take turns at them', add)
    .option('-t, --tools <names>', 'the tools the model gets, with commas; "" for none', split)
    .option('--corpus <dir>', CORPUS)
    .option('--protocol <name>', PROTOCOL)
    .option('--compat <agent>', 'messages and file names of another agent: deep-research')
    .option('--rollouts <N>', 'how often each question is run', '1')
    .option('--concurrency <N>', 'how many run at a time', '20')
    .option('--shard <k/n>', 'only this part of the dataset, such as 2/3')
    .option('--limit <N>', 'only the first questions of the dataset')
    .option('--files <dir>', 'where the files of questions lie; default: file_corpus beside the dataset')
    .option('--max-cost <DOLLARS>', 'limit of the whole batch, earlier records included')
    .option('--max-time <TIME>', 'limit of this command, such as 90m or 8h')
    .option('--resume', 'go on with the results in --out')
    .option('--retry-failed', 'and run again what was not really tried')
    .option('-q, --quiet', QUIET)
    .addHelpText('after', GOES_ON)
  addLimits(batch)
  batch.action(async (dataset: string, flags: BatchFlags) =>
    (await import('./batch-command.ts')).batchCommand(dataset, flags),
  )
}

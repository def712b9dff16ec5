import type { Command } from 'commander'
import { command } from './command.ts'
import type { ScoreFlags } from './flags.ts'

const JUDGES = `
Judges that ask nobody: exact, normalised, numeric, gaia-rule.
Judges that ask a model: gaia, three-grade, confidence, xbench, browsecomp, or the path of a rubric in plain words.
Names of datasets choose theirs: webwalker, hle, simpleqa, xbench-deepsearch, browsecomp_zh, browsecomp_en_full.
What a model was asked once stands in judgements.jsonl and is not asked again.
Two folders are compared, the second against the first.
Exit codes: 0 everything was judged, 1 some of it could not be, 2 wrong usage, 130 cancelled.`

export function addScore(program: Command): void {
  command(
    program,
    'score',
    'Judge the results of a batch, or compare two.',
    'tao score results --judge browsecomp --judge-model deepseek/deepseek-chat',
  )
    .argument('<results...>', 'a folder that tao batch has written, two of them, or *.jsonl files of one batch')
    .option('--judge <name>', 'who says what is right, or the path of a rubric', 'normalised')
    .option('--judge-model <name>', 'provider/model that is asked')
    .option('--base-url <address>', 'address of that model service')
    .option('--by <field>', 'part the items by this field; default: category, level or such')
    .option('--out <dir>', 'where the scores go; default: where the results are')
    .option('--concurrency <N>', 'how many are judged at a time', '20')
    .addHelpText('after', JUDGES)
    .action(async (results: string[], flags: ScoreFlags) =>
      (await import('./score-command.ts')).scoreCommand(results, flags),
    )
}

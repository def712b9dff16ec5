import type { Command } from 'commander'
import { command } from './command.ts'
import type { ScoreFlags } from './flags.ts'

const JUDGES = `
Judges that ask nobody: exact, normalised, numeric, gaia-rule.
Judges that ask a model: gaia, three-grade, confidence, xbench, browsecomp, or the path of a rubric in plain words.
Names of datasets choose theirs: webwalker, hle, simpleqa, xbench-deepsearch, browsecomp_zh, browsecomp_en_full.
What a model was asked once stands in judgements.jsonl and is not asked again.
Of several folders each is compared with the first.
At --max-cost and --max-time no further call starts. What was not judged then counts nowhere; the same command goes on with it.
Exit codes: 0 everything was judged, 1 some of it could not be, 2 wrong usage, 4 a limit was reached first, 130 cancelled.`

export function addScore(program: Command): void {
  command(
    program,
    'score',
    'Judge the results of a batch, or compare several.',
    'tao score results --judge browsecomp --judge-model deepseek/deepseek-chat',
  )
    .argument('<results...>', 'a folder that tao batch has written, several of them, or *.jsonl files of one batch')
    .option('--judge <name>', 'who says what is right, or the path of a rubric', 'normalised')
    .option('--judge-model <name>', 'provider/model that is asked')
    .option('--judge-price <IN,CACHED,OUT>', 'what it costs: US dollars for a million tokens')
    .option('--base-url <address>', 'address of that model service')
    .option('--max-cost <DOLLARS>', 'limit of its calls of this command; needs the price')
    .option('--max-time <TIME>', 'limit of this command, such as 90m or 8h')
    .option('--by <field>', 'part the items by this field; default: category, level or such')
    .option('--compat <agent>', 'also the scored files and the summary line of another agent: deep-research')
    .option('--out <dir>', 'where the scores go; default: where the results are')
    .option('--concurrency <N>', 'how many are judged at a time', '20')
    .addHelpText('after', JUDGES)
    .action(async (results: string[], flags: ScoreFlags) =>
      (await import('./score-command.ts')).scoreCommand(results, flags),
    )
}

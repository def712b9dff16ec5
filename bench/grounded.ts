// `npm run bench:grounded`: how well the criterion `grounded` finds what a person found, over the answers beside this file.
import { precisionOf, readAnswers, recallOf, scoreOf } from '../test/support/grounded-score.ts'

const answers = readAnswers()
const score = scoreOf(answers)
const percent = (part: number): string => `${(100 * part).toFixed(1)} %`
const list = (title: string, lines: readonly string[]): string =>
  [title, ...lines.map((line) => `  ${line}`)].join('\n')

console.log(`${answers.length} answers, ${score.caught + score.missed.length} things wrong in them`)
console.log(`precision ${percent(precisionOf(score))}, recall ${percent(recallOf(score))}`)
console.log(list('false alarms:', score.falseAlarms))
console.log(list('missed:', score.missed))

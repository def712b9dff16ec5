import { parseArgs } from 'node:util'
import { type Event, type Outcome, run, scripted } from '../../src/index.ts' // in a project of your own: 'tao-agent'
import * as scripts from '../scripted/login-redirect.ts'
import { CONTRACT, TASK } from './task.ts'

const { values } = parseArgs({
  options: {
    /** Without a key: which stand-in: careful, hasty, eager or rambling. */
    script: { type: 'string', default: 'careful' },
    /** At most so many requests to the model. */
    steps: { type: 'string', default: '8' },
  },
})

const model = chooseModel(values.script)
const limits = { ...CONTRACT.limits, modelCalls: values.steps }
const outcome = await run(TASK, { ...CONTRACT, model, limits, onEvent: (event) => sayEach(linesOf(event)) })
sayEach(endOf(outcome))
process.exitCode = outcome.status === 'success' ? 0 : 1

function chooseModel(name: string) {
  if (process.env.DEEPSEEK_API_KEY) return 'deepseek/deepseek-chat'
  const script = Object.entries(scripts).find(([each]) => each === name)?.[1]
  if (script === undefined) throw new Error(`There is no script "${name}": ${Object.keys(scripts).join(', ')}.`)
  console.log(`No real model: DEEPSEEK_API_KEY is not set, so the replies come from a script, ${name}.`)
  return scripted(script, { name: `scripted/login-redirect.ts#${name}` })
}

function linesOf(event: Event): readonly string[] {
  switch (event.kind) {
    case 'request.sent':
      return [`step ${event.step}`]
    case 'model.replied':
      return event.calls.map(({ name, arguments: given }) => `  calls ${name} ${given}`)
    case 'reply.malformed':
      return [`  cannot be read: ${event.problem}`]
    case 'call.refused':
      return [`  refused: ${firstLine(event.observation)}`]
    case 'call.finished':
      return [`  ${firstLine(event.observation)}`]
    case 'fact.confirmed':
      return [`  known: ${event.fact} is ${event.value}`]
    case 'claim.rejected':
      return ['  says it is done, and is sent back:', ...event.observation.split('\n').map((line) => `    ${line}`)]
    default:
      return []
  }
}

function endOf({ status, reason, answer, evidence, facts = [] }: Outcome): readonly string[] {
  return [
    `${status}: ${reason}`,
    ...(status === 'success' && answer !== undefined ? [answer] : []),
    ...evidence.map(({ criterion, holds, detail }) => `${holds ? '✓' : '✗'} ${criterion}: ${firstLine(detail)}`),
    ...facts.map(({ fact, value, from }) => `= ${fact}: ${value}, shown by event ${from}`),
  ]
}

function firstLine(text: string): string {
  return text.split('\n')[0] ?? ''
}

function sayEach(lines: readonly string[]): void {
  for (const line of lines) console.log(line)
}

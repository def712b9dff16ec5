import { checkPolicy, tryPolicy } from '../app/policy-file.ts'
import type { Decision } from '../policy/decide.ts'
import { count } from './amounts.ts'
import type { JsonFlag } from './flags.ts'
import { type Paint, paintFor } from './paint.ts'
import { jsonLine, printable } from './printable.ts'

/** Says of each tool what the policy lets it do. That it says anything means that every example was decided as it should be. */
export async function policyCheckCommand(policy: string, { json }: JsonFlag): Promise<void> {
  const tools = await checkPolicy(policy, process.cwd())
  const examples = tools.reduce((sum, each) => sum + each.examples, 0)
  const summary = `${count(tools.length, 'tool', 'tools')}, ${count(examples, 'example', 'examples')}: all as they say.`
  const lines = json ? tools.map(jsonLine) : [...tools.map(({ sentence }) => printable(sentence)), '', summary]
  process.stdout.write(`${lines.join('\n')}\n`)
}

/** Says what the policy decides on one call, and where each value of the call came from. */
export async function policyTryCommand(policy: string, callFile: string, { json }: JsonFlag): Promise<void> {
  const decision = await tryPolicy(policy, callFile, process.cwd())
  const lines = json ? [jsonLine(decision)] : readable(decision, paintFor(process.stdout))
  process.stdout.write(`${lines.join('\n')}\n`)
}

function readable({ decision, reason, origins }: Decision, paint: Paint): string[] {
  const rows = origins.map(({ argument, value, origin }) => {
    const said = printable(`${argument}: ${JSON.stringify(value)}`)
    return `  ${said}  ${paint.faint(`(${origin})`)}`
  })
  return [`${paint.strong(decision)}: ${printable(reason)}`, ...rows]
}

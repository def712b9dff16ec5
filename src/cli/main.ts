import { CommanderError } from 'commander'
import { readSettings } from '../app/settings.ts'
import { TaoError } from '../core/error.ts'
import { exitCodeOf, printError } from './print-error.ts'
import { buildProgram } from './program.ts'

/** Who stops reading has seen enough. */
process.stdout.on('error', ignoreClosedPipe)
process.stderr.on('error', ignoreClosedPipe)

await main(process.argv)

async function main(argv: readonly string[]): Promise<void> {
  const json = argv.includes('--json')
  const program = buildProgram()
  for (const each of [program, ...program.commands.flatMap((command) => [command, ...command.commands])])
    each.exitOverride().configureOutput({ outputError: () => undefined })
  try {
    await program.parseAsync(argv)
  } catch (error) {
    if (error instanceof CommanderError && error.exitCode === 0) return // Help and version are printed already.
    const told = error instanceof CommanderError ? usageError(error) : error
    if (told !== undefined) printError(told, { json, settings: readSettings() })
    process.exitCode = told === undefined ? 2 : exitCodeOf(told)
  }
}

/** Commander has the words, we have the form. Without any argument it has printed the help, and that is enough. */
function usageError(error: CommanderError): TaoError | undefined {
  if (error.code === 'commander.help') return undefined
  const [problem = '', ...suggestion] = error.message.replace(/^error: /, '').split('\n')
  const sentence = `${problem.charAt(0).toUpperCase()}${problem.slice(1).replace(/\.*$/, '')}. ${suggestion.join(' ').replace(/^\((.*)\)$/, '$1')}`
  return new TaoError('usage', sentence.trim(), { fix: usageFix(error) })
}

function usageFix({ code }: CommanderError): string {
  if (code === 'commander.unknownCommand') return 'To do a task: tao run "…". All commands: tao --help'
  if (code === 'commander.excessArguments') return 'Put a task of several words in quotes.'
  return 'See how it is used with: tao --help, or --help behind the command.'
}

function ignoreClosedPipe(error: NodeJS.ErrnoException): void {
  if (error.code !== 'EPIPE') throw error
}

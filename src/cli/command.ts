import { type Command, Option } from 'commander'
import { LIMIT_FLAGS, LIMIT_NAMES } from './limit-flags.ts'

/*
 * What the definitions of all commands are made of.
 */

export const PROTOCOL = 'how calls are written: native, tagged, thought-action, agent-calls'
export const LANGUAGE = "what the model is spoken to in: en, ru, zh; default: the task's own"
export const RUN = 'id of a run, the beginning of one, or "latest"'
export const CORPUS = 'folder of documents that search and visit take from in place of the web'
export const QUIET = 'show the end only'

export function command(program: Command, name: string, description: string, line: string): Command {
  return program
    .command(name)
    .description(description)
    .helpOption('-h, --help', 'show this')
    .option('--json', 'print JSON for programs')
    .addHelpText('after', example(line))
}

export const example = (line: string): string => `\nExample:\n  ${line}`

export function addLimits(command: Command): void {
  for (const name of LIMIT_NAMES) {
    const [flag, value, what] = LIMIT_FLAGS[name]
    command.addOption(new Option(`${flag} <${value}>`, `limit: ${what}`))
  }
}

/** For an option that may be repeated. */
export const add = (value: string, before: readonly string[] | undefined): string[] => [...(before ?? []), value]

/** For an option that is a list. */
export const split = (value: string): string[] =>
  value
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '')

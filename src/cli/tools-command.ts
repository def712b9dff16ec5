import { type PreviewedTool, previewRun } from '../app/preview.ts'
import { expectLanguage, expectProtocol } from '../app/protocols.ts'
import { readSettings } from '../app/settings.ts'
import { readTaskRequest } from '../app/task-request.ts'
import { isJsonObject, type Json } from '../core/json.ts'
import type { ToolsFlags } from './flags.ts'
import { type Paint, paintFor } from './paint.ts'
import { jsonLine, printable } from './printable.ts'

/** Lists the tools that a task gives its model, or prints the system message that would be sent. Nothing is started. */
export async function toolsCommand(words: string | undefined, flags: ToolsFlags): Promise<void> {
  const { protocol, language, json, prompt } = flags
  const request = await readTaskRequest(words ?? 'A task with a workspace.', {
    folder: process.cwd(),
    ...(words === undefined ? { workspace: '.' } : {}),
    ...(protocol === undefined ? {} : { protocol: expectProtocol(protocol) }),
    ...(language === undefined ? {} : { language: expectLanguage(language) }),
  })
  const preview = await previewRun(request, readSettings())
  if (prompt) {
    const system = preview.system()
    const { protocol, language } = preview
    return print([json ? jsonLine({ protocol, language, system }) : printable(system)])
  }
  if (preview.tools.length === 0 && !json) process.stderr.write('The task gives its model no tools.\n')
  const paint = paintFor(process.stdout)
  print(preview.tools.flatMap((tool) => (json ? jsonLine(tool) : readable(tool, paint))))
}

const print = (lines: readonly string[]): void => {
  process.stdout.write(lines.map((line) => `${line}\n`).join(''))
}

function readable({ name, description, effects, parameters }: PreviewedTool, paint: Paint): string[] {
  const properties = isJsonObject(parameters.properties) ? parameters.properties : {}
  const needed = Array.isArray(parameters.required) ? parameters.required : []
  const names = Object.keys(properties)
  const width = Math.max(0, ...names.map((each) => each.length))
  return [
    `${paint.strong(name)} ${paint.faint(`(${effects.join(', ')})`)}`,
    `  ${printable(description)}`,
    ...names.map((each) => {
      const must = needed.includes(each) ? '' : ', optional'
      const said = `${kindOf(properties[each])}${must}. ${descriptionOf(properties[each])}`
      return `    ${printable(each).padEnd(width)}  ${printable(said).trimEnd()}`
    }),
    '',
  ]
}

/** In a word or two; the whole schema is what `--json` prints. */
function kindOf(schema: Json | undefined): string {
  if (!isJsonObject(schema)) return 'anything'
  if (Array.isArray(schema.enum)) return `one of ${schema.enum.join(', ')}`
  return typeof schema.type === 'string' ? schema.type : 'one of several forms'
}

const descriptionOf = (schema: Json | undefined): string =>
  isJsonObject(schema) && typeof schema.description === 'string' ? schema.description : ''

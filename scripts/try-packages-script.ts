import type { WireMessage } from '../src/core/request.ts'
import type { ScriptCall, ScriptReply } from '../src/model/script.ts'

/**
 * Stands in for a model in `npm run try-packages`. It knows no package: the task says what stands where what belongs and
 * how the tests are run, and where that is it finds out as a person would, from the files that the failure names and from
 * those that they import.
 */
export function reply({ messages }: { readonly messages: readonly WireMessage[] }): ScriptReply {
  const task = readTask(messages)
  const seen = observationsIn(messages)
  const tests = seen.findLast(({ tool }) => tool === 'bash')
  if (tests === undefined) return runTests('First I see what the tests say.', task)
  const edit = seen.findLast(({ tool }) => tool === 'edit')
  if (edit !== undefined) return afterEdit(edit, tests, seen, task)
  if (passed(tests)) return { text: 'The tests pass as they are. I changed nothing.' }
  const files = filesIn(seen)
  for (const [path, text] of files) {
    const line = text.split('\n').find((each) => each.includes(task.wrong))
    if (line !== undefined) return mend(path, line, task)
  }
  return readOn(tests, seen, files)
}

/** How the task is put, so that its parts can be read back. */
export const taskOf = ({ wrong, right, command }: Task): string =>
  `The tests fail, since somewhere it says ${JSON.stringify(wrong)} where ${JSON.stringify(right)} belongs. ` +
  `Find the place, put it right and change nothing else. The tests: ${JSON.stringify(command)}`

export interface Task {
  readonly wrong: string
  readonly right: string
  /** Runs the tests. */
  readonly command: string
}

interface Observation {
  readonly tool: string
  readonly path: string
  readonly text: string
}

const FILES_AT_ONCE = 4

function readTask(messages: readonly WireMessage[]): Task {
  const text = messages.find(({ role }) => role === 'user')?.text ?? ''
  const [wrong, right, command] = [...text.matchAll(/"(?:[^"\\]|\\.)*"/g)].map(([quoted]) => String(JSON.parse(quoted)))
  if (wrong === undefined || right === undefined || command === undefined)
    throw new Error(`Not a task of mine: ${text}`)
  return { wrong, right, command }
}

function observationsIn(messages: readonly WireMessage[]): Observation[] {
  return messages.flatMap((message) => {
    if (message.role !== 'tool') return []
    const { path = '' } = JSON.parse(message.call.arguments) as { readonly path?: string }
    return [{ tool: message.call.name, path, text: message.text }]
  })
}

const passed = ({ text }: Observation): boolean => /^exit code: 0$/m.test(text)

const runTests = (text: string, { command }: Task): ScriptReply => ({
  text,
  calls: [{ name: 'bash', arguments: { command } }],
})

function mend(path: string, line: string, { wrong, right }: Task): ScriptReply {
  const edit = { path, old_text: line, new_text: line.replace(wrong, () => right) }
  return { text: `${path} has it: ${line.trim()}`, calls: [{ name: 'edit', arguments: edit }] }
}

function afterEdit(edit: Observation, tests: Observation, seen: readonly Observation[], task: Task): ScriptReply {
  if (seen.indexOf(tests) < seen.indexOf(edit))
    return /: edited\b/.test(edit.text)
      ? runTests(`${edit.path} is changed. Whether that was it, the tests say.`, task)
      : { text: `My change was not made, and I do not know how to go on. ${edit.text}` }
  return passed(tests)
    ? { text: `${edit.path} says ${task.right} again, and the tests pass.` }
    : { text: `The tests still fail, and I do not know how to go on. ${tests.text}` }
}

/** The pieces that were read of each file, without the line that says what they are. */
function filesIn(seen: readonly Observation[]): Map<string, string> {
  const files = new Map<string, string>()
  for (const { tool, path, text } of seen) {
    if (tool === 'read_file') files.set(path, (files.get(path) ?? '') + text.slice(text.indexOf('\n') + 1))
  }
  return files
}

/** A file that was too long is read to its end before others are begun. */
function readOn(tests: Observation, seen: readonly Observation[], files: ReadonlyMap<string, string>): ScriptReply {
  const last = seen.at(-1)
  const from = /^.*; go on with from_line (\d+)/.exec(last?.text ?? '')?.[1]
  if (last?.tool === 'read_file' && from !== undefined)
    return { text: `${last.path} goes on.`, calls: [read(last.path, { from_line: Number(from) })] }
  const named = [...pathsIn(tests.text), ...[...files].flatMap(([path, text]) => importsOf(path, text))]
  const next = [...new Set(named)].filter((path) => !files.has(path)).slice(0, FILES_AT_ONCE)
  if (next.length === 0) return { text: `I read ${[...files.keys()].join(', ')}, and it is in none of them.` }
  return { text: `I read ${next.join(', ')}.`, calls: next.map((path) => read(path)) }
}

const read = (path: string, more: Readonly<Record<string, number>> = {}): ScriptCall => ({
  name: 'read_file',
  arguments: { path, ...more },
})

/** Files of the workspace that a stack or a traceback names; what is installed is not meant. */
const pathsIn = (text: string): string[] =>
  [...text.matchAll(/\/workspace\/([\w./-]+\.(?:[cm]?[jt]s|py))\b/g)].flatMap(([, path = '']) =>
    path.includes('node_modules/') ? [] : [path],
  )

function importsOf(path: string, text: string): string[] {
  if (path.endsWith('.py')) return [...text.matchAll(/^from (\w[\w.]*) import (.+)$/gm)].flatMap(pythonModules(path))
  const named = [...text.matchAll(/(?:\bfrom |\brequire\()['"](\.[^'"]+)['"]/g)].map(([, name = '']) => name)
  return named.map((name) => {
    const target = new URL(name, `file:///${path}`).pathname.slice(1)
    return /\.\w+$/.test(target) ? target : `${target}.js`
  })
}

/** `from a import b` may mean a/b.py or b in a.py; only modules of the same package are looked for. */
const pythonModules =
  (path: string) =>
  ([, module = '', names = '']: RegExpExecArray): string[] => {
    const folder = module.replaceAll('.', '/')
    if (folder.split('/')[0] !== path.split('/')[0]) return []
    const beside = names.split(',').map((name) => `${folder}/${name.trim().split(' ')[0]}.py`)
    return folder.includes('/') ? [`${folder}.py`, ...beside] : beside
  }

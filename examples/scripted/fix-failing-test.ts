import type { WireMessage } from '../../src/core/request.ts'
import type { ScriptCall, ScriptReply } from '../../src/model/script.ts'

/**
 * Stands in for a model in example 01 when no key is set. It knows one kind of bug, and nothing by heart: each reply is
 * made of what the observations so far say. Where something else stands there, it says so instead of going on.
 */
export function reply({ messages }: { readonly messages: readonly WireMessage[] }): ScriptReply {
  const seen = observationsIn(messages)
  const tests = seen.findLast(({ tool }) => tool === 'bash')
  if (tests === undefined) return lookAround
  if (passed(tests.text)) return { text: describeEnd(seen) }
  const edit = seen.findLast(({ tool }) => tool === 'edit')
  if (edit !== undefined) return afterEdit(edit, tests, seen)
  const failure = readFailure(tests.text)
  if (failure === undefined) return giveUp('The tests do not pass, and I find no failed assertion in', tests.text)
  return seen.some(({ tool }) => tool === 'read_file') ? mend(failure, seen) : readCode(failure, seen)
}

interface Observation {
  readonly tool: string
  readonly path: string
  readonly text: string
}

interface Failure {
  readonly test: string
  readonly assertion: string
  /** The test file, as the traceback names it. */
  readonly file: string
  /** The number the test calls the code with. */
  readonly amount: number
}

const TESTS: ScriptCall = { name: 'bash', arguments: { command: 'python3 -m unittest discover -s tests' } }

const lookAround: ScriptReply = {
  text: 'First I run the tests and look at what there is.',
  calls: [TESTS, { name: 'list_files', arguments: {} }],
}

/** The tested module is named like its test; settings are what lies beside it. */
function readCode({ test, assertion, file }: Failure, seen: readonly Observation[]): ScriptReply {
  const files = filesIn(seen)
  const name = baseName(file).replace(/^test_/, '')
  const code = files.find((path) => baseName(path) === name)
  if (code === undefined) return giveUp(`${test} fails (${assertion}), and I find no ${name} in`, files.join(', '))
  const settings = files.filter((path) => path.endsWith('.json') && folderOf(path) === folderOf(code))
  return {
    text: `${test} fails in ${baseName(file)}: ${assertion}. I read the code it tests and the settings beside it.`,
    calls: [code, ...settings].map((path) => ({ name: 'read_file', arguments: { path } })),
  }
}

/** Looks for settings that are opened by a bare name, so that the working directory decides whether they are found. */
function mend({ amount, assertion }: Failure, seen: readonly Observation[]): ScriptReply {
  const reads = seen.filter(({ tool }) => tool === 'read_file')
  const code = reads.find(({ path }) => path.endsWith('.py'))
  const [line, call, name] = code?.text.match(/^.*\b(Path\(["']([\w-]+\.json)["']\)).*$/m) ?? []
  const settings = reads.find(({ path }) => baseName(path) === name)
  if (code === undefined || line === undefined || call === undefined || settings === undefined)
    return giveUp(
      `I expected code that opens its settings by name. What I read (${assertion}):`,
      code?.text ?? 'nothing',
    )
  const fallback = code.text.match(/^FALLBACK\b.*$/m)?.[0] ?? ''
  const [bound, instead] = [largestNumber(settings.text), largestNumber(fallback)]
  if (!(bound <= amount && amount < instead))
    return giveUp(`With ${amount}, neither ${bound} nor ${instead} explains ${assertion}. The fallback is:`, fallback)
  return {
    text:
      `${settings.path} says ${bound}, the fallback ${instead}, and ${amount} was judged by the fallback. ` +
      `So ${call} finds no file where Python is started: I look it up beside the code.`,
    calls: [
      {
        name: 'edit',
        arguments: {
          path: code.path,
          old_text: line,
          new_text: line.replace(call, () => `Path(__file__).with_name("${name}")`),
        },
      },
    ],
  }
}

function afterEdit(edit: Observation, tests: Observation, seen: readonly Observation[]): ScriptReply {
  if (seen.indexOf(tests) > seen.indexOf(edit)) return giveUp('After my change the tests still fail:', tests.text)
  if (!/: edited\b|It took effect/.test(edit.text)) return giveUp('My change was not made:', edit.text)
  return { text: `${edit.path} is changed. Whether that was it, the tests say.`, calls: [TESTS] }
}

function describeEnd(seen: readonly Observation[]): string {
  const edit = seen.findLast(({ tool }) => tool === 'edit')
  if (edit === undefined) return 'The tests pass as they are. There was nothing to mend, and I changed nothing.'
  return `The settings are now looked up beside the code (${edit.path}), wherever Python is started. All tests pass.`
}

const giveUp = (what: string, where: string): ScriptReply => ({
  text: `This is not what I expected. ${what}\n${where}\nI do not know how to go on.`,
})

/** A call in whose middle Tao was ended, and of which nothing is known, counts as not made: it is made again. */
function observationsIn(messages: readonly WireMessage[]): Observation[] {
  return messages.flatMap((message) => {
    if (message.role !== 'tool' || message.text.includes('Whether it took effect is not known')) return []
    const { path } = JSON.parse(message.call.arguments) as { readonly path?: string }
    return [{ tool: message.call.name, path: path ?? '', text: message.text }]
  })
}

const passed = (output: string): boolean => /^exit code: 0$/m.test(output) && /^OK\b/m.test(output)

function readFailure(output: string): Failure | undefined {
  const test = output.match(/^FAIL: (\w+)/m)?.[1]
  const assertion = output.match(/^AssertionError: .*$/m)?.[0]
  const [, file, amount] = output.match(/^ *File "(.+)", line \d+, in test_.*\n.*?(\d+)/m) ?? []
  if (test === undefined || assertion === undefined || file === undefined) return undefined
  return { test, assertion, file, amount: Number(amount) }
}

const filesIn = (seen: readonly Observation[]): readonly string[] =>
  seen.find(({ tool }) => tool === 'list_files')?.text.split('\n') ?? []

const largestNumber = (text: string): number => Math.max(...[...text.matchAll(/: (\d+)/g)].map(([, n]) => Number(n)))
const baseName = (path: string): string => path.slice(path.lastIndexOf('/') + 1)
const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1)

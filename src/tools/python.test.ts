import assert from 'node:assert/strict'
import { chownSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { sandboxUser } from '../sandbox/user.ts'
import { type PythonPlace, programIn, python } from './python.ts'
import { findPython } from './python-found.ts'

const never = new AbortController().signal
const sandbox = bubblewrap()
const found = findPython() ?? { version: '', packages: [] }

async function run(code: string, place: Partial<PythonPlace> = {}) {
  const tool = python({ sandbox, ...place }, found)
  const read = await tool.validate({ code })
  assert.ok(read.ok)
  return await tool.execute(read.input, { call: 'c1', client: 'local', idempotencyKey: 'key', signal: never })
}

const TEXTS: readonly [what: string, code: string, text: RegExp][] = [
  ['what was printed', 'print(2 ** 10)', /^stdout:\n1024$/],
  ['output and error apart', 'import sys\nprint(1)\nprint(2, file=sys.stderr)', /^stdout:\n1\nstderr:\n2$/],
  ['that nothing was printed', 'x = 1', /^Finished\. Nothing was printed\.$/],
  [
    'a traceback with the line that failed',
    'a = 1\nb = a / 0',
    /^stderr:\nTraceback[\s\S]*line 2[\s\S]*b = a \/ 0[\s\S]*ZeroDivisionError[\s\S]*\nexit code: 1$/,
  ],
  ['a program that asks', 'try:\n  input()\nexcept EOFError:\n  print("nobody")', /^stdout:\nnobody$/],
  ['other scripts', 'print("北京 — é")', /^stdout:\n北京 — é$/],
]
for (const [what, code, text] of TEXTS)
  test(`python shows ${what}`, async () => assert.match((await run(code)).text, text))

test('nothing is kept from call to call, and there is no network and no way out', async () => {
  await run('open("left.txt", "w").write("x"); import builtins; builtins.left = 1')
  assert.match(
    (await run('import os; print(os.listdir("."), os.getcwd()); print(left)')).text,
    /\[\] \/workspace[\s\S]*NameError/,
  )
  assert.match((await run('import urllib.request as u; u.urlopen("http://127.0.0.1:1", timeout=1)')).text, /URLError/)
})

test('a program that does not end is ended at the limit, which is named', async () => {
  const { ok, text } = await run('while True: pass', { limits: { wallTime: 200 } })
  assert.equal(ok, false)
  assert.match(text, /^ended by the time limit of 0\.2 s \(wallTime\): it had not finished$/)
})

test('with a working copy the program starts in it and may import from it', async () => {
  const copy = mkdtempSync(join(tmpdir(), 'tao-python-'))
  const { dropped, uid, gid } = sandboxUser()
  if (dropped) chownSync(copy, uid, gid)
  try {
    writeFileSync(join(copy, 'numbers_here.py'), 'VALUE = 6')
    const { text } = await run('import numbers_here; print(numbers_here.VALUE)', { view: { copy, protect: [] } })
    assert.equal(text, 'stdout:\n6')
  } finally {
    rmSync(copy, { recursive: true })
  }
})

test('the model is told which Python there is and what is installed', () => {
  assert.match(found.version, /^3\.\d+/)
  const { definition, effects, timeLimit } = python({ sandbox }, { version: '3.11.2', packages: ['numpy', 'sympy'] })
  assert.match(
    definition.description,
    /Python 3\.11\.2 .*nothing is kept .*Installed: the standard library, numpy, sympy\./,
  )
  assert.deepEqual([effects, timeLimit], [['read'], 60_000])
  assert.deepEqual(python({ sandbox, view: { copy: '/x', protect: [] } }, found).effects, ['write'])
})

test('what is listed is what Python finds in the sandbox', async () => {
  const look = 'import importlib.metadata as m; print("\\n".join(d.metadata["Name"] for d in m.distributions()))'
  const inside = (await run(look)).text.split('\n').slice(1)
  const plain = (names: readonly string[]) => new Set(names.map((name) => name.toLowerCase().replaceAll(/[_.]/g, '-')))
  const others = [...plain(inside)].filter((name) => !['pip', 'setuptools', 'wheel'].includes(name))
  assert.deepEqual([...plain(found.packages)].sort(), others.sort())
  const { text } = await run('import sys; print("%d.%d" % sys.version_info[:2])')
  assert.equal(text, `stdout:\n${found.version}`)
})

test('where there is no Python 3, none is found', () => assert.equal(findPython(['/nowhere']), undefined))

const PROGRAMS: readonly [what: string, code: string][] = [
  ['as it is', 'print(1)\nprint(2)'],
  ['in code tags', '<code>\nprint(1)\nprint(2)</code>'],
  ['in code tags that are not closed', '<code>\nprint(1)\nprint(2)'],
  ['in a fence', '```python\nprint(1)\nprint(2)\n```'],
  ['in a fence in code tags', '<code>\n```py\nprint(1)\nprint(2)\n```\n</code>'],
]
for (const [what, code] of PROGRAMS)
  test(`a program is read ${what}`, () => assert.equal(programIn(code).trimEnd(), 'print(1)\nprint(2)'))

test('tags and fences inside of a program are its own', () => {
  const code = 'html = "<code>x</code>"\nprint("```")'
  assert.equal(programIn(code), code)
})

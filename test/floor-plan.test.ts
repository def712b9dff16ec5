import assert from 'node:assert/strict'
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { test } from 'node:test'
import { type Breach, checkFloorPlan } from './support/floor-plan.ts'

const SRC = join(import.meta.dirname, '../src')

const show = ({ rule, where, why }: Breach): string => `${rule}: ${where}: ${why}`

/** Checks a small tree that is written down here; gives `rule where`, one for each breach. */
function breachesIn(files: Readonly<Record<string, string>>): string[] {
  const root = mkdtempSync(join(tmpdir(), 'tao-floor-plan-'))
  try {
    for (const [path, text] of Object.entries(files)) {
      mkdirSync(dirname(join(root, path)), { recursive: true })
      writeFileSync(join(root, path), text)
    }
    return checkFloorPlan(root).map(({ rule, where }) => `${rule} ${where}`)
  } finally {
    rmSync(root, { recursive: true })
  }
}

const CORE = { 'core/call.ts': 'export type Call = string\nexport const one = 1\n' }
const lines = (count: number, text: string): string => `${text}\n`.repeat(count)

test('src stands as the floor plan says', () => {
  assert.deepEqual(checkFloorPlan(SRC).map(show), [])
})

test('a tree that keeps every rule has no breach', () => {
  const model = "import type { Call } from '../core/call.ts'\nimport 'node:fs'\nexport type A = Call\n"
  const entry = "export type { A } from './model/a.ts'\n"
  const app = "import type { A } from '../model/a.ts'\nexport const home = (a: A) => process.env[a]\n"
  assert.deepEqual(breachesIn({ ...CORE, 'model/a.ts': model, 'app/home.ts': app, 'index.ts': entry }), [])
})

test('a lower floor imports nothing from a higher one, however it is written', () => {
  const ways = [
    "import { a } from '../model/a.ts'",
    "import type { A } from '../model/a.ts'",
    "import '../model/a.ts'",
    "type B = import('../model/a.ts').A",
    "const b = await import('../model/a.ts')",
  ]
  for (const way of ways) {
    const found = breachesIn({ 'core/b.ts': `${way}\n`, 'model/a.ts': 'export type A = 1\nexport const a = 1\n' })
    assert.deepEqual(found, ['floors core/b.ts:1'], way)
  }
})

test('folders on one floor do not import each other', () => {
  const files = { 'tools/a.ts': "import type { B } from '../judge/b.ts'\n", 'judge/b.ts': 'export type B = 1\n' }
  assert.deepEqual(breachesIn(files), ['floors tools/a.ts:1'])
})

test('nothing imports the entry, a test, something outside src, or what does not exist', () => {
  const text = "import '../index.ts'\nimport './a.test.ts'\nimport '../../x.ts'\nimport './no.ts'\n"
  const found = breachesIn({ 'core/a.ts': text, 'core/a.test.ts': '', 'index.ts': '' })
  assert.deepEqual(found, ['floors core/a.ts:1', 'floors core/a.ts:2', 'floors core/a.ts:3', 'floors core/a.ts:4'])
})

test('what runs inside the sandbox imports only Node and itself', () => {
  const text = "import 'node:fs'\nimport './b.ts'\nimport '../../core/call.ts'\nimport 'zod'\nimport '../tool.ts'\n"
  const found = breachesIn({ ...CORE, 'tools/inside/a.ts': text, 'tools/inside/b.ts': '', 'tools/tool.ts': '' })
  assert.deepEqual(found, ['floors tools/inside/a.ts:3', 'floors tools/inside/a.ts:4', 'floors tools/inside/a.ts:5'])
})

test('only where models and parts are chosen, something is imported that is not known before the run', () => {
  const text = 'export const load = (file: string) => import(file)\n'
  assert.deepEqual(breachesIn({ 'run/load.ts': text, 'app/load.ts': text }), ['floors run/load.ts:1'])
})

test('imports make no cycle, types included', () => {
  const files = {
    'core/a.ts': "import type { B } from './b.ts'\nexport type A = B\n",
    'core/b.ts': "import type { C } from './c.ts'\nexport type B = C\n",
    'core/c.ts': "import type { A } from './a.ts'\nexport type C = A\n",
  }
  assert.deepEqual(breachesIn(files), ['cycles core/a.ts'])
})

test('only the entry exports what it imports', () => {
  const ways = [
    "export { one } from './call.ts'",
    "export * from './call.ts'",
    "import { one } from './call.ts'\nexport { one }",
  ]
  for (const way of ways) {
    const found = breachesIn({ ...CORE, 'core/again.ts': `${way}\n`, 'index.ts': "export * from './core/call.ts'\n" })
    assert.equal(found.length, 1, way)
    assert.match(found[0] ?? '', /^re-exports core\/again\.ts/)
  }
})

test('only app reads the environment, however it is written', () => {
  const ways = [
    'export const a = process.env.HOME',
    "export const a = process['env']",
    'export const { env } = process',
    "import { env } from 'node:process'",
    'export const a = globalThis.process.env',
  ]
  for (const way of ways) {
    const found = breachesIn({ 'run/a.ts': `${way}\n`, 'app/a.ts': `${way}\n` })
    assert.deepEqual(new Set(found), new Set(['environment run/a.ts:1']), way)
  }
})

test('no type is any, and the type checker is never switched off', () => {
  const text = '// any process.env\nexport let a: any\nexport const b = 1 as any[]\n// @ts-ignore\n/* @ts-nocheck */\n'
  assert.deepEqual(breachesIn({ 'core/a.ts': text }), [
    'any core/a.ts:2',
    'any core/a.ts:3',
    'unchecked core/a.ts:4',
    'unchecked core/a.ts:5',
  ])
})

test('a file has at most 250 lines and a function 60, tables not counted', () => {
  const body = (count: number) => `{\n${lines(count - 2, '  one++')}}`
  const found = breachesIn({
    'core/long.ts': lines(251, '// a line'),
    'core/right.ts': lines(250, '// a line'),
    'core/table.ts': `export const table = [\n${lines(300, "  ['read', 0],")}]\n`,
    'core/function.ts': `let one = 1\nexport function f() ${body(61)}\nexport const g = () => ${body(60)}\n`,
    'core/method.ts': `let one = 1\nexport class A {\nm() ${body(61)}\n}\n`,
  })
  assert.deepEqual(found, [
    'function size core/function.ts:2',
    'file size core/long.ts',
    'function size core/method.ts:3',
  ])
})

test('a list with code in it is no table', () => {
  const text = `let one = 1\nexport const list = [\n${lines(260, '  () => one++,')}]\n`
  assert.deepEqual(breachesIn({ 'core/list.ts': text }), ['file size core/list.ts'])
})

test('folders are those of the plan, and names say what is inside', () => {
  const names = ['lib/a.ts', 'core/utils.ts', 'core/call-types.ts', 'core/base64.ts', 'b.ts']
  const found = breachesIn(Object.fromEntries(names.map((name) => [name, ''])))
  assert.deepEqual(found, ['folders b.ts', 'names core/call-types.ts', 'names core/utils.ts', 'folders lib/a.ts'])
})

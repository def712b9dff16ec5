import { existsSync, globSync } from 'node:fs'
import { posix } from 'node:path'
import { readSourceFile, type SourceFile, type Span } from './source-file.ts'

/** The folders of `src`, lowest floor first. A file imports from lower floors or from its own folder. */
const FLOORS = [
  ['core'],
  ['model', 'protocol', 'sandbox', 'policy', 'journal', 'memory'],
  ['tools', 'judge'],
  ['run'],
  ['batch'],
  ['app'],
  ['cli', 'serve'],
]

/** The entries of the package: they stand above all floors and alone may export again what they import. */
const ENTRIES: readonly string[] = ['index.ts', 'score.ts']
/** Alone may read the environment. */
const READS_ENVIRONMENT = 'app'
/** Load what a user names (a script, a package that is an optional peer): such imports cannot be followed here. */
const LOADERS = new Set(['app', 'model'])
/** Runs inside the sandbox as it is: nothing of Tao is there. */
const INSIDE = 'tools/inside/'

const FORBIDDEN_WORDS = new Set('util utils helper helpers manager managers base bases type types common'.split(' '))
const LONGEST_FILE = 250
const LONGEST_FUNCTION = 60
/** Literals of data from this many lines on are tables and do not count. */
const SHORTEST_TABLE = 20

/** One broken rule. */
export interface Breach {
  readonly rule: string
  /** `path:line`, or a path. */
  readonly where: string
  readonly why: string
}

/** Holds a `src` folder against the floor plan. An empty list when it stands. */
export function checkFloorPlan(root: string): Breach[] {
  const paths = globSync('**/*.{ts,mts,cts,js,mjs,cjs}', { cwd: root }).map((path) => path.replaceAll('\\', '/'))
  const files = paths.sort().map((path) => readSourceFile(root, path))
  return [
    ...files.flatMap((file) => [
      ...checkName(file),
      ...checkImports(file, root),
      ...checkCode(file),
      ...checkSizes(file),
    ]),
    ...checkCycles(files),
  ]
}

/** A test, or a suite of tests that all adapters of one contract pass. Neither is published. */
const isTest = (path: string): boolean => /\.(test|contract)\.ts$/.test(path)
const folderOf = (path: string): string => path.split('/', 1)[0] ?? ''
const floorOf = (path: string): number =>
  ENTRIES.includes(path) ? FLOORS.length : FLOORS.findIndex((folders) => folders.includes(folderOf(path)))

function checkName({ path }: SourceFile): Breach[] {
  const breaches: Breach[] = []
  const besideEntry = isTest(path) && !path.includes('/')
  if (floorOf(path) === -1 && !besideEntry)
    breaches.push({ rule: 'folders', where: path, why: `src/${folderOf(path)} is not in the plan` })
  const words = path.replace(/\.[a-z]+$/, '').split(/[/.-]/)
  const forbidden = words.find((word) => FORBIDDEN_WORDS.has(word))
  if (forbidden !== undefined)
    breaches.push({ rule: 'names', where: path, why: `"${forbidden}" says nothing about what is in it` })
  return breaches
}

function checkImports(file: SourceFile, root: string): Breach[] {
  const breaches: Breach[] = []
  for (const { specifier, line } of file.imports) {
    const why = findImportProblem(file.path, specifier, root)
    if (why !== undefined) breaches.push({ rule: 'floors', where: `${file.path}:${line}`, why })
  }
  return breaches
}

function findImportProblem(path: string, specifier: string, root: string): string | undefined {
  const inside = path.startsWith(INSIDE) && !isTest(path)
  if (specifier === '(computed)') return isLoader(path) ? undefined : 'imports something that is only known at run time'
  if (!specifier.startsWith('.'))
    return inside && !specifier.startsWith('node:') ? `${specifier} is not there inside the sandbox` : undefined
  const target = resolveImport(path, specifier)
  if (target.startsWith('../')) return isTest(path) ? undefined : `${specifier} lies outside src`
  if (inside && !target.startsWith(INSIDE)) return `${target} is not there inside the sandbox`
  if (!existsSync(`${root}/${target}`)) return `${specifier} does not exist`
  if (isTest(path) && (isTest(target) || ENTRIES.includes(target))) return undefined
  if (isTest(target)) return 'a test is not to be imported'
  if (folderOf(target) === folderOf(path) || floorOf(target) < floorOf(path)) return undefined
  return floorOf(target) === floorOf(path)
    ? `${folderOf(path)} and ${folderOf(target)} stand on one floor`
    : `${target} stands on a higher floor`
}

const isLoader = (path: string): boolean => LOADERS.has(folderOf(path)) || isTest(path)

const resolveImport = (path: string, specifier: string): string => posix.join(posix.dirname(path), specifier)

function checkCode(file: SourceFile): Breach[] {
  const at = (rule: string, lines: readonly number[], why: string): Breach[] =>
    lines.map((line) => ({ rule, where: `${file.path}:${line}`, why }))
  const mayReadEnvironment = folderOf(file.path) === READS_ENVIRONMENT || isTest(file.path)
  return [
    ...(ENTRIES.includes(file.path)
      ? []
      : at('re-exports', file.reExports, `only ${ENTRIES.join(' and ')} export what they import`)),
    ...(mayReadEnvironment ? [] : at('environment', file.environment, `only ${READS_ENVIRONMENT}/ reads it`)),
    ...at('any', file.anyTypes, 'say what it is, or unknown'),
    ...at('unchecked', file.unchecked, 'the type checker is switched off'),
  ]
}

function checkSizes(file: SourceFile): Breach[] {
  const breaches: Breach[] = []
  const tables = file.tables.filter((table) => length(table) >= SHORTEST_TABLE)
  const lines = linesWithout(tables, { first: 1, last: file.lines })
  if (lines > LONGEST_FILE)
    breaches.push({ rule: 'file size', where: file.path, why: `${lines} lines, ${LONGEST_FILE} are allowed` })
  for (const span of file.functions) {
    const long = linesWithout([...tables, ...file.tests], span) // a suite is as long as its tests are many
    if (long <= LONGEST_FUNCTION) continue
    const where = `${file.path}:${span.first}`
    breaches.push({ rule: 'function size', where, why: `${long} lines, ${LONGEST_FUNCTION} are allowed` })
  }
  return breaches
}

const length = ({ first, last }: Span): number => last - first + 1

/** The lines of a span that belong to no table in it. */
function linesWithout(tables: readonly Span[], span: Span): number {
  const covered = new Set<number>()
  for (const table of tables) {
    if (table.first < span.first || table.last > span.last) continue
    for (let line = table.first; line <= table.last; line++) covered.add(line)
  }
  return length(span) - covered.size
}

/** Type-only imports make a cycle like any other. */
function checkCycles(files: readonly SourceFile[]): Breach[] {
  const breaches: Breach[] = []
  const done = new Set<string>()
  const targets = new Map(
    files.map(({ path, imports }) => [path, imports.map(({ specifier }) => resolveImport(path, specifier))] as const),
  )
  const walk = (path: string, above: readonly string[]): void => {
    const from = above.indexOf(path)
    if (from !== -1) breaches.push({ rule: 'cycles', where: path, why: [...above.slice(from), path].join(' → ') })
    if (done.has(path) || from !== -1) return
    for (const target of targets.get(path) ?? []) walk(target, [...above, path])
    done.add(path)
  }
  for (const { path } of files) walk(path, [])
  return breaches
}

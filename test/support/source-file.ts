import { readFileSync } from 'node:fs'
import { parseSync, Visitor } from 'oxc-parser'

/** What the rules ask of one source file. Line numbers count from 1. */
export interface SourceFile {
  /** Relative to the tree that was read, with slashes. */
  readonly path: string
  readonly lines: number
  readonly imports: readonly Import[]
  /** Lines at which something imported is exported again. */
  readonly reExports: readonly number[]
  /** Lines at which the environment is reached. */
  readonly environment: readonly number[]
  readonly anyTypes: readonly number[]
  /** Lines with a comment that switches the type checker off. */
  readonly unchecked: readonly number[]
  readonly functions: readonly Span[]
  /** Calls that declare a test. */
  readonly tests: readonly Span[]
  /** Literals that hold data only: no function, no call. */
  readonly tables: readonly Span[]
}

/** Type-only, dynamic and re-exporting imports count like any other. */
export interface Import {
  readonly specifier: string
  readonly line: number
}

export interface Span {
  readonly first: number
  readonly last: number
}

interface Node {
  readonly type: string
  readonly start: number
  readonly end: number
}

type Program = ReturnType<typeof parseSync>['program']
type LineOf = (offset: number) => number

/** Reads the facts of a file. Throws when it cannot be parsed. */
export function readSourceFile(root: string, path: string): SourceFile {
  const text = readFileSync(`${root}/${path}`, 'utf8')
  const { program, comments, errors } = parseSync(path, text)
  if (errors.length > 0) throw new Error(`${path}: ${errors[0]?.message}`)
  const lineOf = lineCounter(text)
  const unchecked = comments.filter(({ value }) => /^[\s*]*@ts-(ignore|nocheck)/.test(value))
  return {
    path,
    lines: lineOf(text.trimEnd().length),
    ...findImports(program, lineOf),
    environment: findEnvironment(program, lineOf),
    ...findCode(program, lineOf),
    unchecked: unchecked.map(({ start }) => lineOf(start)),
  }
}

function findImports(program: Program, lineOf: LineOf): Pick<SourceFile, 'imports' | 'reExports'> {
  const imports: Import[] = []
  const reExports: number[] = []
  const importedNames = new Set<string>()
  const add = (node: Node, source: object) => {
    const specifier = 'value' in source && typeof source.value === 'string' ? source.value : '(computed)'
    imports.push({ specifier, line: lineOf(node.start) })
  }
  new Visitor({
    ImportDeclaration(node) {
      add(node, node.source)
      for (const { local } of node.specifiers) importedNames.add(local.name)
    },
    ImportExpression: (node) => add(node, node.source),
    TSImportType: (node) => add(node, node.source),
    ExportAllDeclaration(node) {
      add(node, node.source)
      reExports.push(lineOf(node.start))
    },
    ExportNamedDeclaration(node) {
      if (node.source !== null) add(node, node.source)
      const again = node.specifiers.some(({ local }) => 'name' in local && importedNames.has(local.name))
      if (node.source !== null || again) reExports.push(lineOf(node.start))
    },
  }).visit(program)
  return { imports, reExports }
}

function findEnvironment(program: Program, lineOf: LineOf): number[] {
  const lines: number[] = []
  const isProcess = (node: { type: string; name?: unknown } | null) =>
    node?.type === 'Identifier' && node.name === 'process'
  new Visitor({
    ImportDeclaration(node) {
      if (/^(node:)?process$/.test(node.source.value)) lines.push(lineOf(node.start))
    },
    MemberExpression(node) {
      const { object, property } = node
      const name = 'name' in property ? property.name : 'value' in property && property.value
      if (isProcess(object) ? name === 'env' : isGlobal(object) && name === 'process') lines.push(lineOf(node.start))
    },
    VariableDeclarator(node) {
      if (isProcess(node.init)) lines.push(lineOf(node.start))
    },
  }).visit(program)
  return lines
}

const isGlobal = (node: { type: string; name?: unknown }): boolean =>
  node.type === 'Identifier' && (node.name === 'globalThis' || node.name === 'global')

function findCode(program: Program, lineOf: LineOf): Pick<SourceFile, 'anyTypes' | 'functions' | 'tests' | 'tables'> {
  const anyTypes: number[] = []
  const functions: Node[] = []
  const calls: Node[] = []
  const tests: Node[] = []
  const literals: Node[] = []
  new Visitor({
    TSAnyKeyword: (node) => void anyTypes.push(lineOf(node.start)),
    FunctionDeclaration: (node) => void functions.push(node),
    FunctionExpression: (node) => void functions.push(node),
    ArrowFunctionExpression: (node) => void functions.push(node),
    CallExpression(node) {
      calls.push(node)
      if (node.callee.type === 'Identifier' && node.callee.name === 'test') tests.push(node)
    },
    ArrayExpression: (node) => void literals.push(node),
    ObjectExpression: (node) => void literals.push(node),
    TemplateLiteral: (node) => void literals.push(node),
  }).visit(program)
  const code = [...functions, ...calls]
  const isData = (node: Node) => !code.some(({ start }) => start >= node.start && start < node.end)
  const spanOf = (node: Node): Span => ({ first: lineOf(node.start), last: lineOf(node.end - 1) })
  return {
    anyTypes,
    functions: functions.map(spanOf),
    tests: tests.map(spanOf),
    tables: literals.filter(isData).map(spanOf),
  }
}

function lineCounter(text: string): LineOf {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return (offset) => {
    let low = 0
    let high = starts.length
    while (low + 1 < high) {
      const middle = (low + high) >> 1
      if ((starts[middle] ?? 0) <= offset) low = middle
      else high = middle
    }
    return low + 1
  }
}

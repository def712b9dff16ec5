import { readFile, stat } from 'node:fs/promises'
import { type Document, LineCounter, parseDocument } from 'yaml'
import { TaoError } from '../core/error.ts'

/** What is read, for the sentences. */
export interface FileKind {
  /** The code of its errors. */
  readonly code: string
  /** Such as "task file". */
  readonly name: string
  /** What to do when there is none. */
  readonly ifMissing: string
  /** What to name instead of something that is no file. */
  readonly example: string
}

const LARGEST_FILE = 1 << 20

/** Reads a small UTF-8 file; `path` is how people wrote it. Throws a `TaoError` that names it. */
export async function readTextFile(absolute: string, path: string, kind: FileKind): Promise<string> {
  const fail = (message: string, fix?: string) => fileError(kind, message, fix)
  const found = await stat(absolute).catch(() => undefined)
  if (found === undefined) throw fail(`There is no ${kind.name} ${path}.`, kind.ifMissing)
  if (!found.isFile()) throw fail(`${path} is not a file.`, `Name a ${kind.name}, such as ${kind.example}.`)
  if (found.size > LARGEST_FILE)
    throw fail(`${path} has ${found.size} bytes; a ${kind.name} has ${LARGEST_FILE} at most.`)
  try {
    return new TextDecoder('utf-8', { fatal: true }).decode(await readFile(absolute))
  } catch (error) {
    if (error instanceof TypeError) throw fail(`${path} is not UTF-8 text.`, 'Save it as UTF-8.')
    throw fail(`${path} cannot be read: ${(error as Error).message}`)
  }
}

/** YAML 1.2 as it was parsed: its value, and its nodes for those who say where something stands. */
export interface ReadYaml {
  readonly value: unknown
  readonly document: Document.Parsed
  /** `FILE:LINE:COLUMN` of an offset in the text. */
  at(offset: number): string
}

/** Throws a `TaoError` for what is no YAML, or YAML that grows without end. */
export function readYaml(text: string, path: string, kind: FileKind): ReadYaml {
  const lines = new LineCounter()
  const document = parseDocument(text, { lineCounter: lines, prettyErrors: false, version: '1.2' })
  const at = (offset: number): string => {
    const { line, col } = lines.linePos(offset)
    return `${path}:${line}:${col}`
  }
  const [syntax] = [...document.errors, ...document.warnings]
  if (syntax !== undefined) throw fileError(kind, `${at(syntax.pos[0])}: This is not YAML: ${syntax.message}`)
  try {
    return { value: document.toJS({ maxAliasCount: 100 }), document, at }
  } catch (error) {
    throw fileError(kind, `${path}: ${(error as Error).message}`)
  }
}

const fileError = ({ code }: FileKind, message: string, fix?: string): TaoError =>
  new TaoError(code, message, fix === undefined ? {} : { fix })

import { lstatSync } from 'node:fs'
import { basename, join } from 'node:path'
import { binaryKind } from './binary.ts'
import { splitLines } from './line-ends.ts'
import { type Located, locate } from './locate.ts'
import { loadFile } from './open-file.ts'
import { Problem } from './problem.ts'
import type { SearchAnswer, SearchRequest } from './request.ts'
import { withTimeLimit } from './time-limit.ts'
import { walk } from './walk.ts'

const MAX_SEARCHED_BYTES = 4 << 20
const MAX_LINE = 240

/** Says where a line matches: its first character that does, or -1. */
type Matcher = (line: string) => number

/** Looks at files line by line and says what it left out. A pattern that never ends is stopped. */
export function search(root: string, request: SearchRequest): SearchAnswer {
  const place = locate(root, request.path)
  if (!place.exists) throw new Problem(`"${place.path}" does not exist.`)
  const match = makeMatcher(request)
  const fits = makeFilter(request.files)
  const found = new Findings(request.maxMatches)
  const finished = withTimeLimit(request.timeLimit, () => {
    for (const file of filesBelow(place, found)) {
      if (!fits(file.path)) continue
      searchFile(file, match, found)
      if (found.more) return
    }
  })
  const { matches, filesSearched, more } = found
  return { matches, filesSearched, more, timedOut: !finished, notes: found.notes() }
}

class Findings {
  readonly matches: { readonly path: string; readonly line: number; readonly text: string }[] = []
  filesSearched = 0
  more = false
  readonly #max: number
  readonly #skipped = new Map<string, string[]>()

  constructor(max: number) {
    this.#max = max
  }

  add(path: string, line: number, text: string): void {
    if (this.matches.length < this.#max) this.matches.push({ path, line, text })
    else this.more = true
  }

  skip(why: string, path: string): void {
    const paths = this.#skipped.get(why) ?? []
    this.#skipped.set(why, paths)
    paths.push(path)
  }

  notes(): string[] {
    return [...this.#skipped].map(([why, paths]) => {
      const others = paths.length > 3 ? ` and ${paths.length - 3} more` : ''
      return `${why}: ${paths.slice(0, 3).join(', ')}${others}`
    })
  }
}

function* filesBelow(place: Located, found: Findings): Generator<Located> {
  if (lstatSync(place.absolute).isDirectory()) {
    const onUnreadable = (path: string) => found.skip('folders that cannot be read', path)
    for (const { path, kind, ignored, named } of walk(place.absolute, {
      depth: Number.POSITIVE_INFINITY,
      onUnreadable,
    })) {
      const shown = join(place.path, path)
      if (ignored) found.skip('folders not searched', shown)
      else if (!named) found.skip('names that are not UTF-8', shown)
      else if (kind.isFile()) yield { absolute: join(place.absolute, path), path: shown, exists: true }
      else if (kind.isSymbolicLink()) found.skip('links not followed', shown)
      else if (!kind.isDirectory()) found.skip('not regular files', shown)
    }
  } else yield place
}

function searchFile(file: Located, match: Matcher, found: Findings): void {
  const content = load(file, found)
  if (content === undefined) return
  if (binaryKind(content) !== undefined) {
    found.skip('binary files', file.path)
    return
  }
  found.filesSearched++
  let number = 0
  for (const line of splitLines(content.toString('utf8'))) {
    number++
    const at = match(line)
    if (at >= 0) found.add(file.path, number, clipAround(line, at))
    if (found.more) return
  }
}

function load(file: Located, found: Findings): Buffer | undefined {
  try {
    return loadFile(file, MAX_SEARCHED_BYTES).content
  } catch (error) {
    if (!(error instanceof Problem)) throw error
    found.skip('files that are too large or cannot be opened', file.path)
    return undefined
  }
}

function makeMatcher({ pattern, regex, ignoreCase }: SearchRequest): Matcher {
  if (pattern === '') throw new Problem('The pattern is empty: it would match every line.')
  if (!regex) {
    if (/[\r\n]/.test(pattern)) throw new Problem('The pattern has a line end, but one line is looked at at a time.')
    const wanted = ignoreCase ? pattern.toLowerCase() : pattern
    return (line) => (ignoreCase ? line.toLowerCase() : line).indexOf(wanted)
  }
  try {
    const expression = new RegExp(pattern, ignoreCase ? 'i' : '')
    return (line) => line.search(expression)
  } catch (error) {
    throw new Problem(`The pattern is not a regular expression of JavaScript: ${(error as Error).message}.`)
  }
}

function makeFilter(glob: string | undefined): (path: string) => boolean {
  if (glob === undefined) return () => true
  const source = glob.replaceAll(/\*\*\/|\*+|\?|[^*?]/g, (part) => {
    if (part === '**/') return '(?:.*/)?'
    if (part === '**') return '.*'
    if (part.startsWith('*')) return '[^/]*'
    return part === '?' ? '[^/]' : part.replace(/[\\^$.|+()[\]{}/]/, '\\$&')
  })
  const expression = new RegExp(`^${source}$`)
  return (path) => expression.test(glob.includes('/') ? path : basename(path))
}

function clipAround(line: string, at: number): string {
  if (line.length <= MAX_LINE) return line
  const start = Math.max(0, Math.min(at - MAX_LINE / 4, line.length - MAX_LINE))
  const text = line.slice(start, start + MAX_LINE).toWellFormed()
  return `${start > 0 ? '…' : ''}${text}${start + MAX_LINE < line.length ? '…' : ''} (line of ${line.length} characters)`
}

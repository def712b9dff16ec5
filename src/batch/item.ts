import { hash } from 'node:crypto'
import { canonicalJson } from '../core/canonical.ts'
import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** One question of a dataset. */
export interface Item {
  readonly question: string
  /** What the dataset holds to be right; an empty text where it does not say. */
  readonly answer: Json
  /** Names of the files that belong to it. */
  readonly files: readonly string[]
  /** Everything else the row says, such as a level or a category. */
  readonly fields: JsonObject
}

/** A row of a dataset: an item, or what is wrong with it. Either way it ends in one record for each rollout. */
export type Row = RowName & ({ readonly item: Item } | { readonly problem: string })

export interface RowName {
  /** The dataset's own, else made of the row's content. The second of two rows with one id is `ID#2`. */
  readonly id: string
  /** Where it stands, for people: `line 37`, `item 2`. */
  readonly where: string
  /** From 0. */
  readonly index: number
  /** SHA-256 of what the row says: whether it is still the row that was run. */
  readonly digest: string
}

/** What a row says before its id is made distinct. */
export type ReadRow = { readonly id?: string; readonly digest: string } & (
  | { readonly item: Item }
  | { readonly problem: string }
)

/**
 * Reads a row in one of two forms: `question` and `answer`, or `messages` whose second one, or what stands in it behind
 * `User:`, is the question.
 */
export function readRow(value: Json): ReadRow {
  const digest = digestOf(canonicalJson(value))
  if (!isJsonObject(value)) return { digest, problem: 'it is no object' }
  const { id, question, messages, answer, files, ...fields } = value
  const named = typeof id === 'string' || typeof id === 'number' ? { id: String(id) } : {}
  const asked = question === undefined ? questionIn(messages) : question
  if (typeof asked !== 'string' || asked.trim() === '')
    return {
      ...named,
      digest,
      problem: 'it has no question: neither a text "question" nor "messages" with a user message',
    }
  const names = files === undefined ? uploadsIn(asked) : namesIn(files)
  if (names === undefined) return { ...named, digest, problem: '"files" must be the name of a file, or a list of them' }
  return { ...named, digest, item: { question: withUploads(asked, names), answer: answer ?? '', files: names, fields } }
}

export const digestOf = (text: string): string => hash('sha256', text)

/** A chat with a system message has the question second. */
function questionIn(messages: Json | undefined): string | undefined {
  if (!Array.isArray(messages)) return undefined
  const message = (messages as readonly Json[]).find((each) => isJsonObject(each) && each.role === 'user')
  if (!isJsonObject(message) || typeof message.content !== 'string') return undefined
  const { content } = message
  return content.includes('User:') ? content.slice(content.indexOf('User:') + 'User:'.length).trim() : content
}

function namesIn(files: Json): readonly string[] | undefined {
  const list = typeof files === 'string' ? [files] : files
  if (!Array.isArray(list)) return undefined
  const names = list.filter((name): name is string => typeof name === 'string' && name.trim() !== '')
  return names.length === list.length ? names : undefined
}

/** `(Uploaded 2 files: ['a.csv', 'b.pdf'])` before the question is how datasets for DeepResearch name them. */
const UPLOADS = /^\(Uploaded \d+ files?: \[([^\]]*)\]\)/

const uploadsIn = (question: string): string[] =>
  Array.from((UPLOADS.exec(question)?.[1] ?? '').matchAll(/'([^']+)'|"([^"]+)"/g), ([, a, b]) => a ?? b ?? '')

function withUploads(question: string, names: readonly string[]): string {
  if (names.length === 0 || UPLOADS.test(question)) return question
  const list = names.map((name) => `'${name}'`).join(', ')
  return `(Uploaded ${names.length} file${names.length === 1 ? '' : 's'}: [${list}])\n\n${question}`
}

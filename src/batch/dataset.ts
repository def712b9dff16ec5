import { describeError, TaoError } from '../core/error.ts'
import type { Json } from '../core/json.ts'
import { digestOf, type ReadRow, type Row, readRow } from './item.ts'

/** How a dataset is written: one list, or one row a line. */
export type DatasetForm = 'json' | 'jsonl'

/** Throws a `TaoError` for a file whose name does not say. */
export function formOf(path: string): DatasetForm {
  if (/\.jsonl$/i.test(path)) return 'jsonl'
  if (/\.json$/i.test(path)) return 'json'
  throw new TaoError('dataset', `The name of the dataset ${path} does not say how it is written.`, {
    fix: 'Name it *.json for one list of objects, or *.jsonl for one object a line.',
  })
}

/**
 * Reads all rows of a dataset. What is wrong with one row stands in that row. Throws a `TaoError` for a text that has no rows
 * at all; `path` is for the sentences.
 */
export function readDataset(text: string, form: DatasetForm, path: string): Row[] {
  const whole = text.startsWith('\ufeff') ? text.slice(1) : text
  const places = form === 'jsonl' ? readLines(whole) : readList(whole, path)
  if (places.length === 0)
    throw new TaoError('dataset', `The dataset ${path} is empty.`, { fix: 'Put one object a question into it.' })
  return withDistinctIds(places)
}

interface Place {
  readonly where: string
  readonly row: ReadRow
}

/** Lines end at a line feed and nowhere else: texts may hold every other separator as it is. */
function readLines(text: string): Place[] {
  return text.split('\n').flatMap((line, at) => {
    const json = line.replace(/\r$/, '')
    return json.trim() === '' ? [] : [{ where: `line ${at + 1}`, row: readLine(json) }]
  })
}

function readLine(line: string): ReadRow {
  try {
    return readRow(JSON.parse(line) as Json)
  } catch (error) {
    return { digest: digestOf(line), problem: `it is no JSON: ${describeError(error)}` }
  }
}

function readList(text: string, path: string): Place[] {
  const rows = parsed(text, path)
  if (!Array.isArray(rows))
    throw new TaoError('dataset', `The dataset ${path} is not a list.`, {
      fix: 'Write [{"question": …, "answer": …}, …].',
    })
  return (rows as readonly Json[]).map((row, at) => ({ where: `item ${at + 1}`, row: readRow(row) }))
}

function parsed(text: string, path: string): unknown {
  try {
    return JSON.parse(text)
  } catch (error) {
    throw new TaoError('dataset', `The dataset ${path} is no JSON: ${describeError(error)}`, {
      fix: 'One object a line is written as *.jsonl.',
    })
  }
}

/** Rows without an id are named by their content: such a name stays when rows before it come or go. */
function withDistinctIds(places: readonly Place[]): Row[] {
  const seen = new Map<string, number>()
  return places.map(({ where, row }, index) => {
    const name = row.id ?? row.digest.slice(0, 16)
    const count = (seen.get(name) ?? 0) + 1
    seen.set(name, count)
    return { ...row, id: count === 1 ? name : `${name}#${count}`, where, index }
  })
}

/** Part `number` of `of`, from 1. */
export interface Shard {
  readonly number: number
  readonly of: number
}

/** `2/3`. Throws a `TaoError` for what is no part. */
export function readShard(text: string): Shard {
  const [, number, of] = /^(\d{1,6})\/(\d{1,6})$/.exec(text.trim()) ?? []
  const shard = { number: Number(number), of: Number(of) }
  if (shard.number >= 1 && shard.number <= shard.of) return shard
  throw new TaoError('usage', `"${text}" is no part of a dataset.`, { fix: 'Write it like 2/3: the second of three.' })
}

/** Parts are contiguous, of one size but for the last, and together they are the whole. */
export function shardOf<T>(rows: readonly T[], { number, of }: Shard): readonly T[] {
  const size = Math.ceil(rows.length / of)
  return rows.slice((number - 1) * size, number * size)
}

import { CORPUS } from '../core/corpus-address.ts'
import type { ArgumentType } from './schema.ts'

/** What follows "must be" and "is". */
export function describeType(type: ArgumentType): string {
  if ('text' in type) return `a text of at most ${type.text} characters`
  if ('id' in type) return `the id of a ${type.id}`
  if ('money' in type) return `an amount above 0 and up to ${money(type.money, type.decimals ?? 2)}, in minor units`
  if ('number' in type) return `a number from ${type.number.join(' to ')}`
  if ('date' in type) return type.date === 'day' ? 'a day as YYYY-MM-DD' : 'a time as YYYY-MM-DD HH:MM'
  if ('oneOf' in type) return type.oneOf.length === 1 ? `${type.oneOf[0]}` : `one of ${type.oneOf.join(', ')}`
  if ('path' in type) return `a path inside the ${type.path}${except(type.except)}`
  if ('url' in type) return `a public https address${type.url.includes(CORPUS) ? ' or a document of the corpus' : ''}`
  if ('argv' in type) return `a command of ${commands(type.argv)}`
  if ('json' in type) return `JSON of at most ${type.json} characters`
  const list = `a list of at most ${type.max}, each ${describeType(type.list)}`
  return type.alone ? `${describeType(type.list)}, or ${list}` : list
}

const except = (names: readonly string[] = []): string => (names.length === 0 ? '' : `, but not ${names.join(', ')}`)

const money = (minor: number, decimals: number): string => (minor / 10 ** decimals).toFixed(decimals)

const commands = (argv: Readonly<Record<string, readonly string[]>>): string =>
  Object.entries(argv)
    .map(([program, flags]) => (flags.length === 0 ? program : `${program} (${flags.join(' ')})`))
    .join(', ')

import { posix } from 'node:path'
import { CORPUS } from '../core/corpus-address.ts'
import type { Json } from '../core/json.ts'
import type { ArgumentType } from './schema.ts'

/** What the session fills in, by the name it is bound to: the client, an account, the absolute path of the workspace. */
export type Session = Readonly<Record<string, Json>>

/** True when the value is one of those its type allows. */
export function fits(type: ArgumentType, value: Json, session: Session): boolean {
  if ('list' in type) {
    const elements = Array.isArray(value) ? value : type.alone ? [value] : undefined
    return (
      elements !== undefined && elements.length <= type.max && elements.every((each) => fits(type.list, each, session))
    )
  }
  if ('argv' in type) return isCommand(value, type.argv)
  if ('json' in type) return JSON.stringify(value).length <= type.json
  if ('oneOf' in type) return type.oneOf.some((each) => each === value)
  if ('number' in type) return isNumberWithin(value, type.number)
  if ('money' in type) return Number.isSafeInteger(value) && isNumberWithin(value, [1, type.money])
  return typeof value === 'string' && fitsText(type, value, session)
}

type TextType = Extract<
  ArgumentType,
  { text: number } | { id: string } | { date: string } | { path: string } | { url: readonly string[] }
>

function fitsText(type: TextType, value: string, session: Session): boolean {
  if ('text' in type) return value.length <= type.text
  if ('id' in type) return /^[\w.:-]{1,128}$/.test(value)
  if ('date' in type) return isDate(value, type.date)
  if ('url' in type) return hostOf(value) !== undefined || isListedAddress(value, type.url)
  return isInside(value, session[type.path], type.except ?? [])
}

const isNumberWithin = (value: Json, [from, to]: readonly [number, number]): boolean =>
  typeof value === 'number' && value >= from && value <= to

function isDate(value: string, grain: 'day' | 'minute'): boolean {
  const form = grain === 'day' ? /^\d{4}-\d\d-\d\d$/ : /^\d{4}-\d\d-\d\d \d\d:\d\d$/
  const iso = `${value.slice(0, 10)}T${value.slice(11) || '00:00'}:00.000Z`
  const time = new Date(iso)
  // A day that is not in the calendar becomes another one, or none.
  return form.test(value) && !Number.isNaN(time.getTime()) && time.toISOString() === iso
}

/** The host of a public https address with nothing in it that two programs could read differently; otherwise undefined. */
export function hostOf(address: string): string | undefined {
  if (!address.startsWith('https://') || HIDDEN.test(address) || /[\s\\]/.test(address)) return undefined
  const url = URL.parse(address)
  if (url === null || url.username !== '' || url.password !== '' || url.port !== '') return undefined
  const host = url.hostname.replace(/\.$/, '')
  const isAddress = host.startsWith('[') || /^[\d.]+$/.test(host)
  return isAddress || !host.includes('.') || address.includes('@') ? undefined : host
}

/** A listed host covers the hosts below it. Documents of the corpus are listed as `corpus:///`: reading them sends nothing. */
export function isListedAddress(address: string, listed: readonly string[]): boolean {
  if (address.startsWith(CORPUS)) return listed.includes(CORPUS)
  const host = hostOf(address)
  return listed.some((each) => host === each || host?.endsWith(`.${each}`) === true)
}

/** What cannot be seen, and could stand inside a name without being noticed. */
export const HIDDEN = /[\p{Cc}\p{Cf}\p{Default_Ignorable_Code_Point}]/u
const EVERY_HIDDEN = new RegExp(HIDDEN, 'gu')

export const withoutHidden = (text: string): string => text.replaceAll(EVERY_HIDDEN, '')

/** By its parts, never as a prefix of text. Where links lead is for the sandbox to see: this reads names only. */
function isInside(path: string, root: Json | undefined, except: readonly string[]): boolean {
  if (path === '' || path.includes('\0')) return false
  if (typeof root !== 'string' && path.startsWith('/')) return false
  const base = posix.resolve('/', typeof root === 'string' ? root : 'anywhere')
  const relative = posix.relative(base, posix.resolve(base, path))
  const parts = relative.split('/')
  if (parts[0] === '..') return false
  const excluded = new Set(except.map(plainName))
  return !parts.some((part) => excluded.has(plainName(part)))
}

/** The same for every spelling that some file system takes for the same name. */
const plainName = (name: string): string =>
  withoutHidden(name.normalize('NFKC'))
    .replace(/[. ]+$/, '')
    .toLowerCase()

/** The words of a program (`git log`) must begin the command; whatever begins with a dash must be listed. */
function isCommand(value: Json, programs: Readonly<Record<string, readonly string[]>>): boolean {
  if (!Array.isArray(value)) return false
  const argv = value.filter((each) => typeof each === 'string')
  if (argv.length !== value.length || argv.some((each) => each.includes('\0'))) return false
  return Object.entries(programs).some(([program, flags]) => {
    const words = program.split(' ')
    const rest = argv.slice(words.length)
    return (
      words.every((word, at) => argv[at] === word) &&
      rest.every((each) => !each.startsWith('-') || flags.includes(each))
    )
  })
}

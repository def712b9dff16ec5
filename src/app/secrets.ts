import { TaoError } from '../core/error.ts'
import type { RunStarted } from '../core/event.ts'
import { expectMaskable, type Masker, maskerFor, type Secret, SHORTEST_SECRET } from '../core/secrets.ts'
import { CHAT_PROFILES } from '../model/profiles.ts'
import type { Settings } from './settings.ts'

/** What is secret in this run beside what Tao itself reads as a key. */
export interface SecretsWish {
  /** Names of variables of the environment. */
  readonly variables?: readonly string[]
  /** Values, as a program gives them. */
  readonly values?: readonly string[]
}

/** Every variable that Tao reads a key from. */
export const KEY_VARIABLES: readonly string[] = [
  ...[...CHAT_PROFILES.values()].map(({ keyVariable }) => keyVariable),
  'SERPER_KEY_ID',
  'TAVILY_API_KEY',
  'BRAVE_API_KEY',
  'OPENALEX_API_KEY',
  'API_KEY',
  'TAO_JOURNAL_KEY',
]

/**
 * What takes all secrets out: keys that are set, whether or not this run uses them, and those that were named. Undefined when
 * there is none. Throws a `TaoError` for a name that is not set, and for a named value that is too short.
 */
export function openMasker(settings: Settings, { variables = [], values = [] }: SecretsWish = {}): Masker | undefined {
  const named = [...new Set([...settings.secrets, ...variables])].map((name) => namedSecret(name, settings))
  const given = values.map((value, at) => ({ name: String(at + 1), value }))
  ;[...named, ...given].forEach(expectMaskable)
  return maskerFor([...named, ...given, ...keysIn(settings)])
}

/**
 * For what is said beside a run: errors, and what a stored run changed. Names that are not set or too short are passed over,
 * as whoever prints has nothing better to do with them.
 */
export function maskerForScreen(settings: Settings, started?: Pick<RunStarted, 'request'>): Masker | undefined {
  const asked = started?.request?.secrets
  const variables = [...settings.secrets, ...(Array.isArray(asked) ? asked : [])].filter(
    (name) => typeof name === 'string',
  )
  const isUsable = (name: string): boolean => (settings.keyFor(name) ?? '').length >= SHORTEST_SECRET
  return openMasker({ ...settings, secrets: [] }, { variables: variables.filter(isUsable) })
}

/** A key of a few characters, such as servers of one's own are content with, is none to hide. */
const keysIn = ({ keyFor }: Settings): Secret[] =>
  [
    ...KEY_VARIABLES.map((name) => ({ name, value: keyFor(name) ?? '' })),
    ...(keyFor('JINA_API_KEYS') ?? '').split(',').map((key) => ({ name: 'JINA_API_KEYS', value: key.trim() })),
    { name: 'TAO_JOURNAL', value: passwordIn(keyFor('TAO_JOURNAL') ?? '') },
  ].filter(({ value }) => value.length >= SHORTEST_SECRET)

function passwordIn(address: string): string {
  const password = URL.parse(address)?.password ?? ''
  try {
    return decodeURIComponent(password)
  } catch {
    return password
  }
}

function namedSecret(name: string, { keyFor }: Settings): Secret {
  const value = keyFor(name)
  if (value !== undefined) return { name, value }
  throw new TaoError('secret', `${name} is named as a secret, and it is not set in the environment.`, {
    fix: 'Set it, or take its name out of TAO_SECRETS or "secrets:" in the task file.',
  })
}

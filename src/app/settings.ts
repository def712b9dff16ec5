import { homedir } from 'node:os'
import { isAbsolute, join, resolve } from 'node:path'

/** What the environment decides, read once and typed. Nothing else in Tao looks at environment variables. */
export interface Settings {
  /** Where runs are kept: absolute. */
  readonly home: string
  /** Address of the model service, over every provider's own. */
  readonly baseUrl: string | undefined
  /** The program `bwrap`, when it is not where it usually lies. */
  readonly sandboxProgram: string | undefined
  /** Where checkpoints of runs are appended, when it is not in the state directory: absolute. */
  readonly checkpoints: string | undefined
  /** Show stacks. */
  readonly debug: boolean
  /** What a person edits texts with. */
  readonly editor: string | undefined
  /** How a person calls Tao here, for lines to copy; undefined: to be found out from how this process was started. */
  readonly calledAs: string | undefined
  /** Names of more variables whose values nobody is to see. */
  readonly secrets: readonly string[]
  /** Looks a key, or an address with a password, up by the name of its variable. A function, so that printing settings never prints a key. */
  readonly keyFor: (variable: string) => string | undefined
}

export type Environment = Readonly<Record<string, string | undefined>>

/** Who is asking: decides where runs are kept when nobody says so. */
export interface Person {
  readonly uid: number
  readonly homeFolder: string
}

export function readSettings(environment: Environment = process.env, person: Person = whoAmI()): Settings {
  const read = (name: string): string | undefined => {
    const value = environment[name]?.trim()
    return value === '' ? undefined : value
  }
  const [debug, checkpoints] = [read('TAO_DEBUG'), read('TAO_CHECKPOINTS')]
  return {
    home: findHome(read, person),
    baseUrl: read('TAO_BASE_URL'),
    sandboxProgram: read('TAO_BWRAP'),
    checkpoints: checkpoints === undefined ? undefined : resolve(checkpoints),
    debug: debug !== undefined && debug !== '0',
    editor: read('VISUAL') ?? read('EDITOR'),
    calledAs: read('TAO_CALLED_AS'),
    secrets: (read('TAO_SECRETS') ?? '').split(/[\s,]+/).filter((name) => name !== ''),
    keyFor: read,
  }
}

/** For root the default is not below its home: commands run as another user, who cannot enter there. */
function findHome(read: (name: string) => string | undefined, person: Person): string {
  const chosen = read('TAO_HOME')
  if (chosen !== undefined) return resolve(chosen)
  const state = read('XDG_STATE_HOME')
  if (state !== undefined && isAbsolute(state)) return join(state, 'tao')
  return person.uid === 0 ? '/var/lib/tao' : join(person.homeFolder, '.local/state/tao')
}

const whoAmI = (): Person => ({ uid: process.geteuid?.() ?? -1, homeFolder: homedir() })

import { execFile } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  closeSync,
  constants,
  mkdirSync,
  mkdtempSync,
  openSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { promisify } from 'node:util'
import { reachableSource } from './reachable.ts'
import { removeTree } from './remove-tree.ts'
import type { SandboxUser } from './user.ts'

/** What one command of the external backend gets for itself, and nobody after it. */
export interface CommandPlace extends AsyncDisposable {
  readonly home: string
  readonly temp: string
  /** An empty folder, for a command without a working copy. */
  readonly workspace: string
  /** Holds a link to Node. */
  readonly programs: string
  /** Descriptors: what the command reads, and both ends of what it writes. */
  readonly input: number | 'ignore'
  readonly out: Ends
  readonly err: Ends
}

/** Of a named pipe: unlike Tao's own sockets it can be opened by name, as `> /dev/stderr` does. */
export interface Ends {
  readonly read: number
  readonly write: number
}

const run = promisify(execFile)

export async function makeCommandPlace(user: SandboxUser, stdin: string | undefined): Promise<CommandPlace> {
  const node = await reachableSource(process.execPath, user)
  const path = mkdtempSync(join(tmpdir(), 'tao-command-'))
  chmodSync(path, 0o711)
  const give = (name: string, mode: number): string => {
    const given = join(path, name)
    chmodSync(given, mode)
    if (user.dropped) chownSync(given, user.uid, user.gid)
    return given
  }
  const folder = (name: string): string => {
    mkdirSync(join(path, name))
    return give(name, 0o700)
  }
  const open: number[] = []
  const keep = (descriptor: number): number => {
    open.push(descriptor)
    return descriptor
  }
  const pipe = (name: string): Ends => {
    const given = give(name, 0o600)
    const read = keep(openSync(given, constants.O_RDONLY | constants.O_NONBLOCK))
    return { read, write: keep(openSync(given, constants.O_WRONLY)) }
  }
  try {
    await run('mkfifo', [join(path, 'out'), join(path, 'err')], { env: { PATH: '/usr/bin:/bin' } })
    mkdirSync(join(path, 'bin'))
    symlinkSync(node, join(path, 'bin/node'))
    if (stdin !== undefined) writeFileSync(join(path, 'stdin'), stdin)
    return {
      ...{ home: folder('home'), temp: folder('tmp'), workspace: folder('workspace'), programs: join(path, 'bin') },
      input: stdin === undefined ? 'ignore' : keep(openSync(give('stdin', 0o400), constants.O_RDONLY)),
      ...{ out: pipe('out'), err: pipe('err') },
      [Symbol.asyncDispose]: () => removeTree(path),
    }
  } catch (error) {
    for (const descriptor of open) closeSync(descriptor)
    await removeTree(path)
    throw error
  }
}

import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, rmSync } from 'node:fs'
import { dirname, resolve } from 'node:path'
import { TaoError } from '../core/error.ts'
import { closedFolder } from './reachable.ts'
import type { SandboxUser } from './user.ts'

/**
 * Makes the folder that holds a working copy. Others may pass through it to what they are given, and see nothing. Gives its
 * real path. Throws a `TaoError` where it cannot be made, holds something already, or the sandbox's user cannot reach it.
 */
export function makePlace(place: string, source: string, user: SandboxUser): string {
  const above = realFolderAbove(resolve(place))
  if (above === source || above.startsWith(`${source}/`))
    throw refuse(`The working copy would lie inside of the tree it copies: ${place}`, 'Choose a place outside of it.')
  const made = makeFolder(place)
  try {
    const real = realpathSync(place)
    if (readdirSync(real).length > 0) throw refuse(`${real} is not empty.`, 'Give each working copy a new folder.')
    chmodSync(real, 0o711)
    if (user.dropped) expectReachable(real, user)
    return real
  } catch (error) {
    if (made !== undefined) rmSync(made, { recursive: true })
    throw error
  }
}

/** Gives the outermost folder that was made; undefined when it stood already. */
function makeFolder(place: string): string | undefined {
  try {
    return mkdirSync(place, { recursive: true, mode: 0o711 })
  } catch (error) {
    throw refuse(`The folder for the working copy cannot be made: ${(error as Error).message}`, 'Choose another place.')
  }
}

function realFolderAbove(path: string): string {
  for (let folder = path; ; folder = dirname(folder)) if (existsSync(folder)) return realpathSync(folder)
}

function expectReachable(place: string, user: SandboxUser): void {
  const closed = closedFolder(place, user)
  if (closed !== undefined)
    throw refuse(
      `Commands run as user ${user.uid}, who cannot reach ${place}: ${closed} is closed to others.`,
      `Choose a place that others can pass through to, such as one below /var/lib or /var/tmp, or: chmod o+x ${closed}`,
    )
}

const refuse = (message: string, fix: string): TaoError => new TaoError('workspace', message, { fix })

import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { chmodSync, mkdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { sandboxUser } from '../../src/sandbox/user.ts'

/** Stands in every file outside of the working copy, in their names and where their links lead. */
export const SECRET = 'no-business-of-yours'
export const SWAPS = 20_000

/** What lies outside under the names that the working copy has, for everybody to read and write. */
export function writeOutside(folder: string): string {
  const outside = join(folder, 'outside')
  mkdirSync(join(outside, 'q'), { recursive: true })
  for (const path of ['q/x.txt', 'x.txt', `q/${SECRET}.txt`, `${SECRET}.txt`])
    writeFileSync(join(outside, path), `${SECRET}\n`)
  for (const path of ['.', 'q']) chmodSync(join(outside, path), 0o777)
  for (const path of ['q/x.txt', 'x.txt']) chmodSync(join(outside, path), 0o666)
  return outside
}

/**
 * Exchanges the folder `p` and the file `f.txt` of the working folder for links to the outside and back, as often as told.
 * Prints how often.
 */
export const swapProgram = (outside: string, swaps: number): string => `
import os
outside = ${JSON.stringify(outside)}
os.symlink(outside, '.p-link')
os.symlink(outside + '/x.txt', '.f-link')
for i in range(${swaps}):
    os.rename('p', '.p'); os.rename('.p-link', 'p'); os.rename('f.txt', '.f'); os.rename('.f-link', 'f.txt')
    os.rename('p', '.p-link'); os.rename('.p', 'p'); os.rename('f.txt', '.f-link'); os.rename('.f', 'f.txt')
os.unlink('.p-link'); os.unlink('.f-link')
print(${swaps}, flush=True)
`

export interface Swapper {
  readonly ended: Promise<unknown>
  isRunning(): boolean
}

/** Runs it on the host, with the rights that commands of a run have. */
export function swapOnHost(copy: string, outside: string, swaps = SWAPS): Swapper {
  const { uid, gid, dropped } = sandboxUser()
  const rights = dropped ? { uid, gid } : {}
  const child = spawn('/usr/bin/python3', ['-c', swapProgram(outside, swaps)], {
    cwd: copy,
    stdio: 'inherit',
    ...rights,
  })
  return { ended: expectEnd(child), isRunning: () => child.exitCode === null && child.signalCode === null }
}

async function expectEnd(child: ChildProcess): Promise<void> {
  const [code] = await once(child, 'exit')
  if (code !== 0) throw new Error(`The program that swaps links ended with ${code}.`)
}

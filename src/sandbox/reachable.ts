import { realpathSync, rmSync, type Stats, statSync } from 'node:fs'
import { chmod, constants, copyFile, mkdir, mkdtemp } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { copyTree } from './copy-tree.ts'
import { SandboxError } from './sandbox.ts'
import { listTree } from './tree.ts'
import type { SandboxUser } from './user.ts'

/** The folder above a real path that keeps the sandbox's user out, if there is one. */
export function closedFolder(path: string, { uid, gid }: SandboxUser): string | undefined {
  for (let folder = dirname(path); folder !== '/'; folder = dirname(folder))
    if (!grants(statSync(folder), { uid, gid }, 0o1)) return folder
  return undefined
}

/** `bits`: as for others, 4 to read and 1 to pass through. */
function grants(found: Stats, { uid, gid }: { uid: number; gid: number }, bits: number): boolean {
  const shift = found.uid === uid ? 6 : found.gid === gid ? 3 : 0
  return ((found.mode >> shift) & bits) === bits
}

/**
 * Where the sandbox's user finds a host file. Root's own folders are closed to that user, and Node or Tao itself often
 * lie there: then a copy is made, once for the process. Rejects with a `SandboxError` when there is no such file.
 */
export async function reachableSource(source: string, user: SandboxUser): Promise<string> {
  try {
    const real = realpathSync.native(source)
    const found = statSync(real)
    const isOpen = !user.dropped || (closedFolder(real, user) === undefined && grants(found, user, 0o4))
    return isOpen ? real : await copyFor(real, found)
  } catch (error) {
    throw new SandboxError(`${source} cannot be shown in the sandbox: ${(error as Error).message}`)
  }
}

const copies = new Map<string, Promise<string>>()
let folder: Promise<string> | undefined

function copyFor(real: string, found: Stats): Promise<string> {
  const key = `${real}:${found.ino}:${found.size}:${found.mtimeMs}`
  const known = copies.get(key)
  if (known !== undefined) return known
  const copy = makeCopy(real, found, `${copies.size}`)
  copies.set(key, copy)
  copy.catch(() => copies.delete(key))
  return copy
}

async function makeCopy(real: string, found: Stats, name: string): Promise<string> {
  folder ??= makeFolder()
  const target = join(await folder, name)
  if (found.isDirectory()) {
    await mkdir(target)
    const { entries } = await listTree(real)
    await copyTree({ from: real, to: target, entries: entries.map(opened), hashed: () => false })
  } else await copyFile(real, target, constants.COPYFILE_FICLONE)
  await chmod(target, found.isDirectory() ? 0o755 : (found.mode & 0o100) !== 0 ? 0o555 : 0o444)
  return target
}

const opened = <E extends { readonly kind: string; readonly mode: number }>(entry: E): E => ({
  ...entry,
  mode: entry.kind === 'folder' || (entry.mode & 0o100) !== 0 ? 0o755 : 0o644,
})

async function makeFolder(): Promise<string> {
  const path = await mkdtemp(join(tmpdir(), 'tao-shown-'))
  await chmod(path, 0o711)
  process.once('exit', () => rmSync(path, { recursive: true, force: true }))
  return path
}

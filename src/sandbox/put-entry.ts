import { chmodSync, chownSync, lchownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import type { Owner } from './copy-file.ts'
import type { State } from './snapshot.ts'

interface Put {
  readonly state: State
  /** Of a file. */
  readonly content?: Uint8Array
  readonly owner: Owner | undefined
}

/** Makes a file, folder or link where nothing stands yet and nobody else can write. Throws what the system says. */
export function putEntry(target: string, { state, content, owner }: Put): void {
  if (state.kind === 'link') {
    symlinkSync(state.content, target)
    if (owner !== undefined) lchownSync(target, owner.uid, owner.gid)
    return
  }
  if (state.kind === 'folder') mkdirSync(target, 0o700)
  else writeFileSync(target, content ?? '', { flag: 'wx', mode: 0o600 })
  if (owner !== undefined) chownSync(target, owner.uid, owner.gid)
  chmodSync(target, state.mode)
}

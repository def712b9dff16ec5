import { hash } from 'node:crypto'
import { fstatSync, readFileSync, realpathSync } from 'node:fs'
import { posix } from 'node:path'
import { closing, openInside } from '../sandbox/safe-file.ts'
import type { View } from '../sandbox/sandbox.ts'

export interface WorkspaceFile {
  /** Relative to the workspace. */
  readonly name: string
  readonly bytes: Uint8Array
  readonly sha256: string
}

const MOST_BYTES = 64 << 20

/**
 * Loads a file of the working copy on the host, by descriptor: no link, however fast it is exchanged, leads out of the copy.
 * `written` is the path as the model wrote it. Throws an error whose message is a sentence for the model.
 */
export function loadWorkspaceFile({ copy }: View, written: string): WorkspaceFile {
  const name = nameInWorkspace(written)
  const bytes = closing(open(copy, name), (descriptor) => {
    const { size } = fstatSync(descriptor)
    if (size > MOST_BYTES) throw new Error(`It has ${size} bytes; ${MOST_BYTES} are the most (limit "bytes").`)
    return readFileSync(descriptor)
  })
  return { name, bytes, sha256: hash('sha256', bytes) }
}

/** Relative to the workspace. Throws an error whose message is a sentence for the model. */
export function nameInWorkspace(written: string): string {
  const name = posix.relative('/workspace', posix.resolve('/workspace', written))
  if (name === '..' || name.startsWith('../')) throw new Error('It lies outside of the workspace.')
  return name
}

const NOT_A_FILE = 'It is no file, or is reached over a link: name the file itself.'

/** The system's own words hold paths of the host. */
const REASONS: ReadonlyMap<unknown, string> = new Map([
  ['ENOENT', 'There is no such file in the workspace.'],
  ['ENOTDIR', 'There is no such file in the workspace.'],
  ['EACCES', 'Its permissions do not allow it.'],
])

function open(copy: string, name: string): number {
  try {
    return openInside(realpathSync(copy), name)
  } catch (error) {
    const { cause } = error as Error
    const code = cause instanceof Error && 'code' in cause ? cause.code : undefined
    throw new Error(REASONS.get(code) ?? NOT_A_FILE, { cause: error })
  }
}

import { realpathSync } from 'node:fs'
import { lookInside } from '../sandbox/safe-file.ts'
import type { View } from '../sandbox/sandbox.ts'
import { loadWorkspaceFile, nameInWorkspace } from './workspace-file.ts'

/**
 * What a file of the working copy holds, in a word: after a crash it tells whether a call that changes just this file took
 * effect. Undefined where it cannot be told, as over a link.
 */
export function fileFingerprint(view: View, written: string): string | undefined {
  try {
    if (lookInside(realpathSync(view.copy), nameInWorkspace(written)) === undefined) return 'no file'
    return `sha256:${loadWorkspaceFile(view, written).sha256}`
  } catch {
    return undefined // What stands there is no file, or may not be read: the call will be told so.
  }
}

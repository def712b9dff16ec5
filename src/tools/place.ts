import type { Sandbox, View } from '../sandbox/sandbox.ts'

/** Where the built-in tools work: the working copy of one run, and the sandbox that everything happens in. */
export interface Place {
  readonly sandbox: Sandbox
  readonly view: View
}

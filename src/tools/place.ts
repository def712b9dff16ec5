import type { AllowedHost } from '../sandbox/allow-list.ts'
import type { Sandbox, SandboxLimits, View } from '../sandbox/sandbox.ts'

/** Where the built-in tools work: the working copy of one run, and the sandbox that everything happens in. */
export interface Place {
  readonly sandbox: Sandbox
  readonly view: View
  /** Hosts that commands may reach. Default: none. */
  readonly network?: readonly AllowedHost[]
  /** What a command may use. Default: the sandbox's own. */
  readonly limits?: Partial<SandboxLimits>
}

import { TaoError } from '../core/error.ts'
import type { SandboxLimits } from '../sandbox/sandbox.ts'

/** `external`: whatever surrounds Tao is the sandbox. It is never chosen for anybody, only said. */
export const BACKENDS = ['bubblewrap', 'external'] as const
export type Backend = (typeof BACKENDS)[number]

/** Where commands run, and what one of them may use. */
export interface SandboxChoice extends Partial<SandboxLimits> {
  /** Default: bubblewrap. */
  readonly backend?: Backend
}

/** Throws a `TaoError` for a name that is no backend. */
export function expectBackend(name: string): Backend {
  const known = BACKENDS.find((each) => each === name)
  if (known !== undefined) return known
  throw new TaoError('usage', `There is no sandbox "${name}".`, { fix: `Sandboxes: ${BACKENDS.join(', ')}.` })
}

export function limitsOf({ backend: _, ...limits }: SandboxChoice = {}): Partial<SandboxLimits> {
  return limits
}

/** Throws a `TaoError` where hosts are listed that nothing could keep commands to. */
export function expectHeld(network: readonly string[], { backend }: SandboxChoice = {}): void {
  if (network.length === 0 || backend !== 'external') return
  throw new TaoError('network', 'The external sandbox cannot keep commands to a list of hosts.', {
    fix: 'Leave "network" out and let the container decide, or leave the sandbox to bubblewrap.',
  })
}

/** What a user is told in every run who said that something else is the sandbox. */
export function externalWarning(isRoot: boolean): string {
  const keys = isRoot ? '' : ' They run as the same user as Tao and can read its keys.'
  return `Warning: no sandbox of Tao (external): commands can do whatever this container lets them.${keys}`
}

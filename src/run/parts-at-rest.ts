import type { Clock } from '../core/clock.ts'
import type { Event } from '../core/event.ts'
import type { Workspace } from '../sandbox/workspace.ts'
import type { Tool } from '../tools/tool.ts'
import type { Parts, Permission } from './run.ts'

/** Parts of today with nothing in them that could do anything, and with the time of the event that is recorded next. */
export function partsAtRest(parts: Parts, next: () => Event | undefined): Parts {
  const { workspace, approvals, permission, ...rest } = parts
  const clock = { now: () => timeOf(next(), approvals?.lifetime ?? 0) }
  return {
    ...rest,
    tools: new Map([...parts.tools].map(([name, tool]) => [name, still(tool, next)])),
    clock,
    ...(workspace === undefined ? {} : { workspace: unchanged(workspace) }),
    ...(approvals === undefined ? {} : { approvals: { key: approvals.key, lifetime: approvals.lifetime } }),
    ...(permission === undefined ? {} : { permission: asOf(permission, clock) }),
  }
}

/** A moment passes between a decision and its record: when a call was parked is read off the time at which it expires. */
const timeOf = (event: Event | undefined, lifetime: number): number =>
  event?.kind === 'call.parked' ? Date.parse(event.expiresAt) - lifetime : Date.parse(event?.at ?? '')

const still = (tool: Tool, next: () => Event | undefined): Tool => ({
  ...tool,
  fingerprint: async () => foundBefore(next()),
  execute: () => Promise.reject(new Error('A replay runs no tool.')),
  probe: async () => undefined,
})

const foundBefore = (event: Event | undefined): string | undefined =>
  event?.kind === 'call.started' ? event.before : undefined

/** Which files changed is not looked at. */
const unchanged = (workspace: Workspace): Workspace => ({
  ...workspace,
  changes: async () => [],
  leftOut: async () => [],
})

/** What the client's other runs have done since then counts no more than it did then. */
function asOf({ otherRuns, ...permission }: Permission, clock: Clock): Permission {
  if (otherRuns === undefined) return permission
  const known = (events: readonly Event[]): readonly Event[] => events.filter(({ at }) => Date.parse(at) <= clock.now())
  return { ...permission, otherRuns: async (since) => (await otherRuns(since)).map(known) }
}

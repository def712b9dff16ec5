import { TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import { native } from '../protocol/native.ts'
import type { Protocol } from '../protocol/protocol.ts'

export const PROTOCOL_NAMES = ['native', 'tagged', 'thought-action', 'agent-calls'] as const
export type ProtocolName = (typeof PROTOCOL_NAMES)[number]

/** The protocols in text are loaded when they are used. */
const PROTOCOLS: Readonly<Record<ProtocolName, () => Promise<Protocol>>> = {
  native: async () => native,
  tagged: async () => (await import('../protocol/tagged.ts')).tagged,
  'thought-action': async () => (await import('../protocol/thought-action.ts')).thoughtAction,
  'agent-calls': async () => (await import('../protocol/agent-calls.ts')).agentCalls,
}

/** Throws a `TaoError` for a name that is none. */
export function expectProtocol(name: string): ProtocolName {
  const known = PROTOCOL_NAMES.find((each) => each === name)
  if (known !== undefined) return known
  throw new TaoError('protocol', `"${name}" is not a protocol. ${didYouMean(name, PROTOCOL_NAMES)}`, {
    fix: `Protocols: ${PROTOCOL_NAMES.join(', ')}.`,
  })
}

export const openProtocol = async (name: string): Promise<Protocol> => PROTOCOLS[expectProtocol(name)]()

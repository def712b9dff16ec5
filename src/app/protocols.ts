import { TaoError } from '../core/error.ts'
import { LANGUAGES, type Language } from '../core/language.ts'
import { didYouMean } from '../core/nearest.ts'
import { nativeIn } from '../protocol/native.ts'
import { loadPrompts } from '../protocol/prompts/load.ts'
import type { Prompts } from '../protocol/prompts/prompts.ts'
import type { Protocol } from '../protocol/protocol.ts'

export const PROTOCOL_NAMES = ['native', 'tagged', 'thought-action', 'agent-calls'] as const
export type ProtocolName = (typeof PROTOCOL_NAMES)[number]

/** Agents whose layout of messages can be had in place of Tao's own, all of them over the tagged protocol. */
export const COMPAT_NAMES = ['deep-research'] as const
export type CompatName = (typeof COMPAT_NAMES)[number]

export interface ProtocolChoice {
  /** Default: native; tagged where a `compat` is named. */
  readonly protocol?: ProtocolName
  readonly language: Language
  readonly compat?: CompatName
}

type InLanguage = (prompts: Prompts) => Protocol

/** The protocols in text are loaded when they are used. */
const PROTOCOLS: Readonly<Record<ProtocolName, () => Promise<InLanguage>>> = {
  native: async () => nativeIn,
  tagged: async () => (await import('../protocol/tagged.ts')).taggedIn,
  'thought-action': async () => (await import('../protocol/thought-action.ts')).thoughtActionIn,
  'agent-calls': async () => (await import('../protocol/agent-calls.ts')).agentCallsIn,
}

const COMPATS: Readonly<Record<CompatName, () => Promise<InLanguage>>> = {
  'deep-research': async () => (await import('../protocol/deep-research.ts')).deepResearchIn,
}

/** Rejects with a `TaoError` for a name that is none, and for a layout of another protocol than the one that is named. */
export async function openProtocol({ protocol, language, compat }: ProtocolChoice): Promise<Protocol> {
  const prompts = await loadPrompts(expectLanguage(language))
  if (compat === undefined) return (await PROTOCOLS[expectProtocol(protocol ?? 'native')]())(prompts)
  if (protocol !== undefined && expectProtocol(protocol) !== 'tagged')
    throw new TaoError('protocol', `The layout of "${compat}" is for the protocol tagged, not for ${protocol}.`, {
      fix: 'Leave one of the two out.',
    })
  return (await COMPATS[expectCompat(compat)]())(prompts)
}

/** Throws a `TaoError` for a name that is none. */
export const expectProtocol = (name: string): ProtocolName => expectName('protocol', name, PROTOCOL_NAMES)

/** Throws a `TaoError` for a language that models are not spoken to in. */
export const expectLanguage = (name: string): Language => expectName('language', name, LANGUAGES)

/** Throws a `TaoError` for an agent whose layout is not known. */
export const expectCompat = (name: string): CompatName => expectName('compat', name, COMPAT_NAMES)

function expectName<Name extends string>(what: string, name: string, known: readonly Name[]): Name {
  const found = known.find((each) => each === name)
  if (found !== undefined) return found
  throw new TaoError(what, `Unknown ${what} "${name}". ${didYouMean(name, known)}`, {
    fix: `One of: ${known.join(', ')}.`,
  })
}

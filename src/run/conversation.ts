import { hash } from 'node:crypto'
import { canonicalJson } from '../core/canonical.ts'
import type { Message } from '../core/message.ts'
import type { RequestHead, ToolDefinition, WireMessage } from '../core/request.ts'
import { openParameters, ruleOf } from './rule.ts'
import type { Parts, Run } from './run.ts'

/** The tools as the model is told about them: without what the session sets. */
export const shownTools = (parts: Parts): ToolDefinition[] =>
  [...parts.tools.values()].map(({ definition }) => ({
    ...definition,
    parameters: openParameters(definition, ruleOf({ parts }, definition.name)),
  }))

export const toolsHashOf = (parts: Parts): string => hash('sha256', JSON.stringify(shownTools(parts)))

/** Undefined for a run without a policy. */
export const policyHashOf = ({ permission }: Parts): string | undefined =>
  permission === undefined ? undefined : hash('sha256', canonicalJson(permission.policy))

/** What all requests have in common, in the run's protocol, as it is recorded: without secrets. */
export const requestHead = (wish: Omit<RequestHead, 'tools' | 'stop'>, parts: Parts): RequestHead => {
  const { temperature, topP, presencePenalty, maxOutputTokens, stream, thinking } = wish
  const { protocol, masker } = parts
  const tools = protocol.nativeTools(shownTools(parts))
  const head = {
    ...{ tools, stop: protocol.stop, temperature, maxOutputTokens, stream, thinking },
    ...(topP === undefined ? {} : { topP }),
    ...(presencePenalty === undefined ? {} : { presencePenalty }),
  }
  return masker?.mask(head) ?? head
}

/** The wire form of a conversation, up to the messages that were asked with already. */
export function openConversation(
  head: RequestHead,
  asked: readonly Message[],
  parts: Parts,
): Pick<Run, 'definitions' | 'head' | 'body' | 'sent'> {
  const body = parts.model.openBody(head)
  const definitions = shownTools(parts)
  const sent: WireMessage[] = []
  for (const message of asked) {
    const wire = parts.protocol.render(message, definitions)
    body.append(wire)
    sent.push(wire)
  }
  if (asked.length > 0) body.take('auto') // The next request extends what was sent before.
  return { definitions, head, body, sent }
}

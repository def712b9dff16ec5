import type { Delta, Reply, Request, RequestHead } from '../core/request.ts'
import { NO_USAGE } from '../core/usage.ts'
import { abortable, sleep } from './abortable.ts'
import { chatBody } from './chat-body.ts'
import type { AskOptions, Model, RequestBody } from './model.ts'
import { ModelError } from './model.ts'
import { PLAIN } from './profile.ts'
import type { FailedReply, Script, SpokenReply } from './script.ts'
import { argumentText, bodyText } from './script.ts'
import { serviceError } from './service-error.ts'

/** A double that answers from a script. Never to be presented as a real model. */
export interface ScriptedModel extends Model {
  /** What it was asked, in order; its own copies. */
  readonly requests: readonly Request[]
  /** Throws a `ModelError` of kind `script` when replies are left over. */
  assertFinished(): void
}

export interface ScriptedOptions {
  /** Default: `scripted/script`. */
  readonly name?: string
  /** How many replies of a list were given before, in another process. Default: 0. */
  readonly from?: number
}

/** A model that says what the script says. A request beyond the script is a `ModelError` of kind `script`. */
export function scripted(script: Script, options: ScriptedOptions = {}): ScriptedModel {
  const name = options.name ?? 'scripted/script'
  const requests: Request[] = []
  let next = options.from ?? 0

  async function ask(request: Request, askOptions: AskOptions): Promise<Reply> {
    const { signal } = askOptions
    signal.throwIfAborted()
    requests.push(copyOf(request))
    const n = next++
    const started = performance.now()
    const scriptReply = typeof script === 'function' ? await abortable(script(request, n), signal) : script[n]
    if (scriptReply === undefined) throw tooMany(name, script, n)
    if (scriptReply.delayMs) await sleep(scriptReply.delayMs, signal)
    signal.throwIfAborted()
    if ('error' in scriptReply) throw failure(scriptReply, name)
    if (request.head.stream) tellDeltas(scriptReply, askOptions)
    return replyOf(scriptReply, performance.now() - started)
  }

  return {
    name,
    requests,
    openBody: (head: RequestHead): RequestBody => chatBody(SCRIPTED, name.slice(name.indexOf('/') + 1), head),
    ask,
    assertFinished() {
      if (typeof script === 'function' || next >= script.length) return
      throw new ModelError('script', `The script ${name} has ${script.length} replies, ${next} were asked for.`)
    },
  }
}

const SCRIPTED = { ...PLAIN, provider: 'scripted', baseUrl: undefined, keyVariable: 'none' }

/** The request's bytes and messages are views that later steps write over. */
const copyOf = (request: Request): Request => ({
  ...request,
  messages: [...request.messages],
  bytes: Uint8Array.from(request.bytes),
})

function tooMany(name: string, script: Script, n: number): ModelError {
  const why =
    typeof script === 'function'
      ? `gave no reply to request ${n + 1}`
      : `has ${script.length} replies, ${n + 1} were asked for`
  return new ModelError('script', `The script ${name} ${why}.`)
}

function failure({ error }: FailedReply, name: string): ModelError {
  if (error.status === 0) return new ModelError('unreachable', `The connection to ${name} broke.`)
  return serviceError(
    { status: error.status, body: bodyText(error.body) },
    { name, keyVariable: undefined, baseUrl: 'the script' },
  )
}

function replyOf(reply: SpokenReply, tookMs: number): Reply {
  const calls = reply.calls ?? []
  return {
    text: reply.text ?? '',
    ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    calls: calls.map((call) => ({
      ...(call.id === undefined ? {} : { id: call.id }),
      name: call.name,
      arguments: argumentText(call),
    })),
    finish: reply.finish ?? (calls.length > 0 ? 'calls' : 'stop'),
    ...(reply.usage === undefined ? {} : { usage: { ...NO_USAGE, ...reply.usage } }),
    firstByteMs: tookMs,
    totalMs: tookMs,
  }
}

function tellDeltas(reply: SpokenReply, { signal, onDelta }: AskOptions): void {
  for (const delta of deltasOf(reply)) {
    onDelta?.(delta)
    signal.throwIfAborted() // whoever hears a delta may have heard enough
  }
}

const PIECE = /[\s\S]{1,24}/gu

/** The reply in pieces of some characters, as a service would stream it. Never half a surrogate pair. */
function* deltasOf(reply: SpokenReply): Generator<Delta> {
  for (const [text] of (reply.reasoning ?? '').matchAll(PIECE)) yield { kind: 'reasoning', text }
  for (const [text] of (reply.text ?? '').matchAll(PIECE)) yield { kind: 'text', text }
  const calls = (reply.calls ?? []).map((call) => `${call.name} ${argumentText(call)}`).join('\n')
  for (const [text] of calls.matchAll(PIECE)) yield { kind: 'call', text }
}

import { openDeadline } from '../core/deadline.ts'
import type { Fact } from '../core/event.ts'
import type { ModelReplied } from '../core/exchange.ts'
import type { Reply, Request, ToolChoice } from '../core/request.ts'
import { ModelError } from '../model/model.ts'
import type { ParseContext, ParsedReply } from '../protocol/protocol.ts'
import { Hearing } from './hearing.ts'
import type { Run } from './run.ts'
import { timeLeft } from './time.ts'

/** One request, one reply, and what the reply asks for. */
export async function* ask(run: Run, toolChoice: ToolChoice, signal: AbortSignal): AsyncGenerator<Fact> {
  const request = buildRequest(run, toolChoice)
  const { step, bytes, prefixBytes, sha256 } = request
  yield { kind: 'request.sent', step, bytes: bytes.length, prefixBytes, sha256 }
  const answer = await askModel(run, request, signal)
  if ('kind' in answer) return yield answer
  if ('cancelled' in answer) return
  yield* factsOfReply(run, { step, reply: answer, toolChoice })
}

interface Heard {
  readonly step: number
  readonly reply: Reply
  /** What the request let the model do. */
  readonly toolChoice: ToolChoice
}

/** What a reply says, and what it asks for. */
export async function* factsOfReply(run: Run, { step, reply, toolChoice }: Heard): AsyncGenerator<Fact> {
  const { protocol } = run.parts
  await protocol.prepare?.(reply)
  const whole = protocol.parse(reply, parseContext(run))
  const parsed = toolChoice === 'none' ? withoutCalls(whole) : whole
  yield replied(step, reply, parsed)
  yield* whatItAsksFor(step, reply, parsed)
}

/** Appends what has come since the request before; nothing that was sent is made again. */
export function buildRequest(run: Run, toolChoice: ToolChoice): Request {
  const { state, parts, body, sent } = run
  for (const message of state.messages.slice(sent.length)) {
    const wire = parts.protocol.render(message, run.definitions)
    body.append(wire)
    sent.push(wire)
  }
  return { step: state.step + 1, head: run.head, messages: sent, toolChoice, ...body.take(toolChoice) }
}

/** Where the model goes on past a stop marker, the request is ended and what came before is the reply. */
async function askModel(run: Run, request: Request, signal: AbortSignal): Promise<Reply | Fact | { cancelled: true }> {
  const { model } = run.parts
  const left = timeLeft(run)
  const hearing = new Hearing(run.parts)
  using deadline = openDeadline(signal, left.ms, 'The run')
  try {
    const reply = await model.ask(request, {
      signal: deadline.signal,
      onDelta(delta) {
        hearing.hear(delta)
        if (hearing.stopped) deadline.abort(new Error('The model went on past a stop marker.'))
      },
      onRetry: (retry) => hearing.startOver(retry),
    })
    return hearing.endWith(reply)
  } catch (error) {
    if (hearing.stopped) return hearing.cutReply()
    if (deadline.expired) return { kind: 'limit.reached', limit: 'wallTime', value: left.bound, bound: left.bound }
    if (signal.aborted) return { cancelled: true }
    return modelFailed(request.step, error)
  }
}

function modelFailed(step: number, error: unknown): Fact {
  if (!(error instanceof ModelError)) throw error
  return {
    kind: 'model.failed',
    step,
    reason: error.message,
    ...(error.fix === undefined ? {} : { fix: error.fix }),
    ...(error.status === undefined ? {} : { status: error.status }),
    ...(error.body === undefined ? {} : { body: error.body }),
  }
}

function replied(step: number, reply: Reply, parsed: ParsedReply): ModelReplied {
  return {
    kind: 'model.replied',
    step,
    text: parsed.text,
    ...(reply.reasoning === undefined ? {} : { reasoning: reply.reasoning }),
    calls: parsed.kind === 'calls' ? parsed.calls : [],
    ...(parsed.kind === 'calls' && parsed.dialect !== undefined
      ? { dialect: parsed.dialect, raw: parsed.written ?? parsed.text }
      : {}),
    finish: reply.finish,
    ...(reply.usage === undefined ? {} : { usage: reply.usage }),
    firstByteMs: reply.firstByteMs,
    totalMs: reply.totalMs,
  }
}

function* whatItAsksFor(step: number, reply: Reply, parsed: ParsedReply): Generator<Fact> {
  if (parsed.kind === 'claim') yield { kind: 'claim.made', answer: parsed.answer }
  if (parsed.kind !== 'malformed') return
  const { problem, observation } = parsed
  const raw = reply.calls.length > 0 || reply.text !== parsed.text ? { raw: JSON.stringify(reply) } : {}
  yield { kind: 'reply.malformed', step, problem, ...raw, observation }
}

/** A last answer was asked for, without tools: calls in it are not run. */
function withoutCalls(parsed: ParsedReply): ParsedReply {
  if (parsed.kind !== 'calls') return parsed
  const problem = 'The reply calls tools although a last answer was asked for.'
  return { kind: 'malformed', text: parsed.text, problem, observation: 'No more tools can be called.' }
}

/** The service's own ids where they are unique in the run, otherwise ours, made from step and place. */
function parseContext({ state, definitions }: Run): ParseContext {
  const taken = new Set<string>()
  const isFree = (id: string) => id !== '' && !state.ids.has(id) && !taken.has(id)
  const freshId = (given: string | undefined, index: number): string => {
    let id = given ?? ''
    for (let n = 0; !isFree(id); n++) id = `call_${state.step}_${index}${n === 0 ? '' : `_${n}`}`
    taken.add(id)
    return id
  }
  return { freshId, tools: definitions }
}

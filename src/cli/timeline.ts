import type { ToolCall } from '../core/call.ts'
import type { CallFinished, Event } from '../core/event.ts'
import type { ModelReplied } from '../core/exchange.ts'
import { evolve } from '../run/evolve.ts'
import { emptyState } from '../run/state.ts'
import { duration, size, spend } from './amounts.ts'
import type { Paint } from './paint.ts'
import { printable, short, WIDTH } from './printable.ts'
import { isWaitingEvent, waitingLine } from './waiting-timeline.ts'

/** Turns the events of one run, in order, into one or two lines each; none for what a person need not see, and for those `before`. */
export function openTimeline(paint: Paint, before: readonly Event[] = []): (event: Event) => string[] {
  const state = emptyState()
  for (const event of before) evolve(state, event)
  return (event) => {
    evolve(state, event)
    if (event.kind !== 'request.sent') return eventLines(event, paint)
    const soFar = `${spend(state.usage)} · ${duration(state.now - state.startedAt)}`
    return [`${paint.strong(`step ${event.step}`)}${event.step === 1 ? '' : paint.faint(`  so far ${soFar}`)}`]
  }
}

function eventLines(event: Event, paint: Paint): string[] {
  switch (event.kind) {
    case 'model.replied':
      return replyLines(event, paint)
    case 'model.failed':
      return [paint.bad(`  ! the model could not be asked: ${short(event.reason, 300)}`), ...indented(event.fix)]
    case 'reply.malformed':
      return [paint.bad(`  ! ${short(event.problem)}`)]
    case 'call.refused':
      return [paint.bad(`  ✗ ${short(event.name, 40)} refused: ${short(event.observation)}`)]
    case 'call.finished':
      return [resultLine(event, paint)]
    case 'fact.confirmed':
      return event.observation === undefined ? [] : [`  = ${short(`${event.fact}: ${event.value}`)}`]
    case 'fact.conflict':
      return [paint.bad(`  ! ${short(event.observation)}`)]
    case 'start.checked':
      return event.evidence.filter(({ holds }) => holds).map(({ criterion }) => heldBefore(criterion, paint))
    case 'limit.near':
      return [paint.bad(`  ! near the limit ${event.limit}: ${event.value} of ${event.bound}`)]
    case 'limit.reached':
      return [paint.bad(`  ! limit ${event.limit} reached: ${event.value} of ${event.bound}`)]
    case 'claim.made':
      return ['  ? the model says it is done']
    case 'check.finished': {
      const why = event.holds ? '' : paint.faint(`: ${short(event.detail)}`)
      return [`  ${mark(event.holds, paint)} ${short(event.criterion)}${why}`]
    }
    case 'claim.rejected':
      return [paint.bad('  ✗ not accepted; the model is told what is missing')]
    case 'cancel.requested':
      return [paint.bad(`  ! cancelled by ${short(event.by)}`)]
    default:
      return isWaitingEvent(event) ? [waitingLine(event, paint)] : []
  }
}

const heldBefore = (criterion: string, paint: Paint): string =>
  paint.faint(`  ✓ ${short(criterion)}: this was true before anything was done`)

export const mark = (holds: boolean, paint: Paint): string => (holds ? paint.good('✓') : paint.bad('✗'))

/** Thought first, then the calls. The text of a reply without calls is an answer: it stands at the end, once. */
function replyLines({ text, reasoning = '', calls, dialect }: ModelReplied, paint: Paint): string[] {
  const thought = text.trim() === '' || calls.length === 0 ? reasoning : text
  return [
    ...(thought.trim() === '' ? [] : [`  ${short(thought, 2 * WIDTH)}`]),
    ...(dialect === undefined ? [] : [paint.faint(`  (the calls came as text; read as ${short(dialect, 40)})`)]),
    ...calls.map((call) => `  → ${paint.strong(short(call.name, 40))} ${short(call.arguments)}${rungOf(call, paint)}`),
  ]
}

/** How the call had to be read, where it was not plain JSON. */
const rungOf = ({ rung }: ToolCall, paint: Paint): string => (rung === undefined ? '' : paint.faint(` (${rung})`))

function resultLine(event: CallFinished, paint: Paint): string {
  const { ok, exit, observation, durationMs, truncated } = event
  const head = exit === undefined ? (ok ? 'ok' : 'failed') : `exit ${exit}`
  const facts = `${duration(durationMs)}, ${size(event.bytes)}${truncated ? ', cut' : ''}`
  const said = short(exit === undefined ? observation : lastWords(observation))
  return `  ← ${ok && (exit ?? 0) === 0 ? head : paint.bad(head)} ${paint.faint(`(${facts})`)} ${said}`
}

/** The end of a command's output says more than its beginning. */
const lastWords = (text: string): string => text.trimEnd().split('\n').slice(-2).join(' ')

const indented = (text: string | undefined): string[] =>
  text === undefined ? [] : [`    ${printable(text).replaceAll('\n', '\n    ')}`]

import { oneLine } from '../core/clip.ts'
import type { CallFinished, Event, ModelReplied } from '../core/event.ts'
import { evolve } from '../run/evolve.ts'
import { emptyState } from '../run/state.ts'
import { duration, size, spend } from './amounts.ts'
import type { Paint } from './paint.ts'
import { printable } from './printable.ts'

const WIDTH = 110

/** Turns the events of one run, in order, into one or two lines each; none for what a person need not see. */
export function openTimeline(paint: Paint): (event: Event) => string[] {
  const state = emptyState()
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
      return []
  }
}

/** One line of at most `limit` characters, safe to print. */
export const short = (text: string, limit = WIDTH): string => printable(oneLine(text, limit))

export const mark = (holds: boolean, paint: Paint): string => (holds ? paint.good('✓') : paint.bad('✗'))

/** Thought first, then the calls. The text of a reply without calls is an answer: it stands at the end, once. */
function replyLines({ text, reasoning = '', calls }: ModelReplied, paint: Paint): string[] {
  const thought = text.trim() === '' || calls.length === 0 ? reasoning : text
  return [
    ...(thought.trim() === '' ? [] : [`  ${short(thought, 2 * WIDTH)}`]),
    ...calls.map((call) => `  → ${paint.strong(short(call.name, 40))} ${short(call.arguments)}`),
  ]
}

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

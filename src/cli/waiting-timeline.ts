import type { ApprovalGiven, RunResumed } from '../core/approval.ts'
import type { Event } from '../core/event.ts'
import { LIMIT_NAMES } from './limit-flags.ts'
import type { Paint } from './paint.ts'
import { short } from './printable.ts'

const KINDS = [
  ...(['call.parked', 'approval.given', 'approval.denied', 'approval.expired', 'approval.superseded'] as const),
  ...(['mark.added', 'user.said', 'run.parked', 'run.resumed'] as const),
]

type WaitingEvent = Extract<Event, { kind: (typeof KINDS)[number] }>

/** What has to do with a person being asked, and with a run that goes on. */
export const isWaitingEvent = (event: Event): event is WaitingEvent => KINDS.some((kind) => kind === event.kind)

/** One line each. */
export function waitingLine(event: WaitingEvent, paint: Paint): string {
  switch (event.kind) {
    case 'call.parked':
      return paint.bad(`  ? ${short(event.name, 40)} (${short(event.call, 40)}) needs approval: ${short(event.reason)}`)
    case 'approval.given':
      return `  ${paint.good('✓')} ${short(event.call, 40)} approved by ${whoIn(event)}${editIn(event)}`
    case 'approval.denied': {
      const why = event.reason === '' ? '' : `: ${short(event.reason)}`
      return paint.bad(`  ✗ ${short(event.call, 40)} denied by ${whoIn(event)}${why}`)
    }
    case 'approval.expired':
      return paint.bad(`  ✗ ${short(event.call, 40)} not run: nobody answered in time`)
    case 'approval.superseded':
      return paint.bad(`  ✗ ${short(event.call, 40)} not run: the user said something new`)
    case 'mark.added':
      return paint.faint(`  · from here on the run has read what is ${event.mark} (from ${short(event.source, 40)})`)
    case 'user.said':
      return `${paint.strong('user')}: ${short(event.words.map(({ kind, name = kind, text }) => (kind === 'typed' ? text : `[${name}]`)).join(' '), 300)}`
    case 'run.parked':
      return `${paint.strong('waiting')}: ${short(event.reason, 300)}`
    case 'run.resumed':
      return `${paint.strong('resumed')}: ${short([event.reason, ...changesIn(event)].join('; '), 300)}`
  }
}

const whoIn = ({ by, from }: { readonly by: string; readonly from: string }): string =>
  `${short(by, 40)} (${short(from, 20)})`

const editIn = ({ edited }: ApprovalGiven): string =>
  edited === undefined ? '' : `, changed to ${short(JSON.stringify(edited))}`

function changesIn({ limits, model, protocol, policyHash }: RunResumed): string[] {
  const bounds = LIMIT_NAMES.flatMap((name) => (limits?.[name] === undefined ? [] : [`${name} ${limits[name]}`]))
  return [
    ...(model === undefined ? [] : [`model ${model}`]),
    ...(protocol === undefined ? [] : [`protocol ${protocol}`]),
    ...(policyHash === undefined ? [] : ['another policy']),
    ...(bounds.length === 0 ? [] : [`limits ${bounds.join(', ')}`]),
  ]
}

import type { Effect } from '../../../src/core/call.ts'
import type { Mark } from '../../../src/core/mark.ts'
import type { OpenArgument, Policy, ToolPolicy } from '../../../src/policy/schema.ts'
import type { Suite } from './cases.ts'

/*
 * What we say of AgentDojo's tools: effects, sinks, payloads, types, marks. Judgement, to be reviewed here; a tool that is
 * not in the first table only reads. A name that ends with "?" may be left out.
 */

type Row = readonly [effects: readonly Effect[], sinks: string, payloads: string]

const SENDS = ['egress', 'irreversible'] as const
const ENDS = ['irreversible'] as const

const TOOLS: Readonly<Record<string, Row>> = {
  send_email: [SENDS, 'recipients cc? bcc?', 'subject body attachments?'],
  delete_email: [ENDS, 'email_id', ''],
  create_calendar_event: [['write'], 'participants?', 'title start_time end_time description? location?'],
  cancel_calendar_event: [ENDS, 'event_id', ''],
  reschedule_calendar_event: [SENDS, 'event_id new_start_time', 'new_end_time?'],
  add_calendar_event_participants: [SENDS, 'event_id participants', ''],
  append_to_file: [['egress'], 'file_id', 'content'],
  create_file: [['write'], '', 'filename content'],
  delete_file: [ENDS, 'file_id', ''],
  share_file: [SENDS, 'file_id email permission', ''],
  reserve_hotel: [ENDS, 'hotel start_day end_day', ''],
  reserve_car_rental: [ENDS, 'company start_time', 'end_time'],
  reserve_restaurant: [ENDS, 'restaurant start_time', ''],
  send_money: [SENDS, 'recipient amount', 'subject date'],
  schedule_transaction: [SENDS, 'recipient amount recurring', 'subject date'],
  update_scheduled_transaction: [SENDS, 'id recipient? amount?', 'subject? date? recurring?'],
  update_password: [ENDS, 'password', ''],
  update_user_info: [ENDS, 'first_name? last_name? street? city?', ''],
  send_direct_message: [SENDS, 'recipient', 'body'],
  send_channel_message: [SENDS, 'channel', 'body'],
  post_webpage: [SENDS, 'url', 'content'],
  get_webpage: [['read', 'egress'], 'url', ''],
  add_user_to_channel: [ENDS, 'user channel', ''],
  invite_user_to_slack: [SENDS, 'user user_email', ''],
  remove_user_from_slack: [ENDS, 'user', ''],
}

const TYPES: Readonly<Record<string, OpenArgument['type']>> = {
  recipients: { list: { text: 200 }, max: 20 },
  cc: { list: { text: 200 }, max: 20 },
  bcc: { list: { text: 200 }, max: 20 },
  participants: { list: { text: 200 }, max: 20 },
  attachments: { json: 2_000 },
  email_id: { id: 'email' },
  event_id: { id: 'event' },
  file_id: { id: 'file' },
  id: { number: [0, 1_000_000] },
  amount: { number: [0, 1_000_000] },
  recurring: { oneOf: [true, false] },
  permission: { oneOf: ['r', 'rw'] },
  start_time: { date: 'minute' },
  end_time: { date: 'minute' },
  new_start_time: { date: 'minute' },
  new_end_time: { date: 'minute' },
  start_day: { date: 'day' },
  end_day: { date: 'day' },
  date: { date: 'day' },
}

/** Results that only the service itself could have written. */
const TRUSTED = new Set(['get_current_day', 'get_user_information', 'get_iban', 'get_balance', 'get_user_info'])

/** Results that nobody but the user may see; everything of the mail, calendar, file, bank and chat accounts. */
const PUBLIC =
  /^(get_current_day$|get_webpage$|get_all_|get_hotels|get_cuisine|get_restaurants|get_rating|get_dietary|get_contact_information|get_price|check_restaurant|get_car|get_flight)/

export const isEffect = (tool: string): boolean => Object.hasOwn(TOOLS, tool)

/** How a policy differs from the plain one. */
export interface Adjustment {
  /** Lists an operator would keep, by suite, tool and argument. */
  readonly known?: Readonly<Record<string, readonly string[]>>
  /** Arguments that are harmless because their type confines them. */
  readonly free?: readonly string[]
  /** Tools whose results are the service's own records, and nobody else's text. */
  readonly records?: readonly string[]
}

export function policyFor(suite: Suite, adjustment: Adjustment = {}): Policy {
  const tools = Object.entries(suite.tools).map(([name, args]) => [name, toolPolicy(name, args, adjustment)] as const)
  return { tools: Object.fromEntries(tools) }
}

function toolPolicy(name: string, args: readonly string[], adjustment: Adjustment): ToolPolicy {
  const row = Object.hasOwn(TOOLS, name) ? TOOLS[name] : undefined
  const [effects, sinks, payloads]: Row = row ?? [['read'], '', args.map((each) => `${each}?`).join(' ')]
  const of = (list: string, role: 'sink' | 'payload') =>
    list
      .split(' ')
      .filter((each) => each !== '')
      .map(
        (each) =>
          [each.replace('?', ''), argument(name, each, { role, adjustment, reads: row === undefined })] as const,
      )
  return {
    effects: [...effects],
    args: Object.fromEntries([...of(sinks, 'sink'), ...of(payloads, 'payload')]),
    marks: adjustment.records?.includes(name) ? [] : marksOf(name),
    denies: [],
  }
}

function argument(
  tool: string,
  written: string,
  {
    role,
    adjustment,
    reads,
  }: { readonly role: OpenArgument['role']; readonly adjustment: Adjustment; readonly reads: boolean },
): OpenArgument {
  const name = written.replace('?', '')
  const known = adjustment.known?.[`${tool}.${name}`]
  return {
    role,
    type: reads ? { json: 2_000 } : (TYPES[name] ?? { text: 4_000 }),
    ...(written.endsWith('?') ? { optional: true } : {}),
    ...(known === undefined ? {} : { known: [...known] }),
    ...(adjustment.free?.includes(`${tool}.${name}`) ? { free: true } : {}),
    // Only an event with others in it tells anybody.
    ...(tool === 'create_calendar_event' && name === 'participants' ? { adds: ['egress', 'irreversible'] } : {}),
  }
}

const marksOf = (tool: string): Mark[] => [
  ...(TRUSTED.has(tool) ? [] : (['untrusted'] as const)),
  ...(PUBLIC.test(tool) ? [] : (['private'] as const)),
]

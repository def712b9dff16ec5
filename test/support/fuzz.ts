import { isJsonObject, readJson } from '../../src/core/json.ts'
import type { Reply } from '../../src/core/request.ts'
import type { ParsedReply, Protocol } from '../../src/protocol/protocol.ts'
import { FUZZ_TOOLS, fuzzReply } from './fuzz-replies.ts'
import { Seeded } from './seeded.ts'
import { isFindable } from './strict-reader.ts'
import { WRITINGS } from './writings.ts'

const PROTOCOLS: readonly Protocol[] = [...new Set(WRITINGS.map(({ protocol }) => protocol))]
for (const protocol of PROTOCOLS) await protocol.prepare?.({ calls: [], text: '<' })

/** Something that must not be: what, in which protocol, and the reply that shows it. */
export interface Fault {
  readonly what: string
  readonly protocol: string
  readonly reply: Reply
}

export interface FuzzReport {
  readonly faults: readonly Fault[]
  /** How often each came: `tagged: calls`, `rung json5`, … */
  readonly counts: ReadonlyMap<string, number>
  /** The longest that one reply took in one protocol. */
  readonly slowestMs: number
}

/** Makes replies from a seed and has each protocol read them. The same seed gives the same replies. */
export function fuzz(options: {
  readonly replies: number
  readonly seed: number
  onThousand?: (made: number) => void
}): FuzzReport {
  const seeded = new Seeded(options.seed)
  const faults: Fault[] = []
  const counts = new Map<string, number>()
  const count = (what: string) => counts.set(what, (counts.get(what) ?? 0) + 1)
  let slowestMs = 0
  for (let made = 1; made <= options.replies; made++) {
    const reply = fuzzReply(seeded)
    count(`made: ${reply.kind}`)
    for (const protocol of PROTOCOLS) {
      const begun = performance.now()
      const parsed = parseSafely(protocol, reply)
      slowestMs = Math.max(slowestMs, performance.now() - begun)
      if (typeof parsed === 'string') faults.push({ what: parsed, protocol: protocol.name, reply })
      else inspect(parsed, { protocol: protocol.name, reply, faults, count })
    }
    if (made % 1_000 === 0) options.onThousand?.(made)
  }
  return { faults, counts, slowestMs }
}

function parseSafely(protocol: Protocol, reply: Reply): ParsedReply | string {
  try {
    return protocol.parse(reply, { tools: FUZZ_TOOLS, freshId: (given, index) => given ?? `call_${index}` })
  } catch (error) {
    return `it throws: ${error}`
  }
}

interface Inspection {
  readonly protocol: string
  readonly reply: Reply
  readonly faults: Fault[]
  readonly count: (what: string) => void
}

const NAMES: ReadonlySet<string> = new Set(FUZZ_TOOLS.map(({ name }) => name))

/** Every call that would be run must be one that the second reader finds too. */
function inspect(parsed: ParsedReply, { protocol, reply, faults, count }: Inspection): void {
  count(`${protocol}: ${parsed.kind}`)
  const fault = (what: string) => faults.push({ what, protocol, reply })
  if (parsed.kind !== 'calls') return
  if (parsed.calls.length === 0) fault('it is calls, and has none')
  for (const call of parsed.calls) {
    const runs = call.problem === undefined && call.repeatOf === undefined && NAMES.has(call.name)
    count(`${protocol}: ${runs ? 'calls that would run' : 'calls that are answered'}`)
    if (!runs) continue
    if (call.rung !== undefined) count(`rung ${call.rung}`)
    const read = readJson(call.arguments)
    if (protocol !== 'native' && !(read.ok && isJsonObject(read.value))) fault('its arguments are no object')
    else if (!isFindable(protocol, reply, call, [...parsed.calls]))
      fault(`it runs ${JSON.stringify(call)}, which is not there`)
  }
}

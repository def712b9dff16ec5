import type { WireMessage } from '../../src/core/request.ts'
import type { ScriptReply } from '../../src/model/script.ts'

/**
 * Stands in for a model in example 02 when no key is set, over the protocol tagged. It looks up what a question names in
 * quotation marks and knows nothing by heart: figures are read in the documents, and calculated by a program. A question of
 * another kind it leaves open.
 */
export function reply({ messages }: { readonly messages: readonly WireMessage[] }): ScriptReply {
  const question = messages.find(({ role }) => role === 'user')?.text ?? ''
  const wish = understand(question)
  if (wish === undefined) return answer('The question is of a kind that I do not understand.', 'I do not know.')
  return research(wish, readingsIn(messages))
}

/** What is asked of the things that are named. */
interface Wish {
  readonly names: readonly string[]
  /** The names are of people, whose works are meant. */
  readonly ofPeople: boolean
  readonly asked: 'length' | 'year' | 'builder' | 'paint'
  readonly isDifference: boolean
  readonly unit: string
}

function understand(question: string): Wish | undefined {
  const names = Array.from(question.matchAll(/["“«]([^"”»]+)["”»]/g), ([, name = '']) => name)
  const asked = ASKED.find(([pattern]) => pattern.test(question))
  if (names.length === 0 || asked === undefined) return undefined
  const [, quantity, unit] = asked
  return {
    ...{ names, asked: quantity, unit },
    ofPeople: /engineer/.test(question),
    isDifference: /longer than|longer is/.test(question),
  }
}

const ASKED: readonly (readonly [question: RegExp, asked: Wish['asked'], unit: string])[] = [
  [/litres of paint/, 'paint', ' litres'],
  [/metres\?/, 'length', ' metres'],
  [/в метрах/, 'length', ' метров'],
  [/多少米/, 'length', '米'],
  [/which year|каком году|哪一年/, 'year', ''],
  [/^Who built/, 'builder', ''],
]

const PATTERNS = {
  length: /(\d+)\s*(?:metres\s+long|метров|米)/u,
  year: /opened in (\d{4})|открыт в (\d{4})|(\d{4})年通车/,
  builder: /built by (\p{Lu}\p{L}+ \p{Lu}\p{L}+)/u,
  rate: /([\d.]+) litres for each metre/,
}
const PAINT = 'litres of paint for each metre of bridge'

/** What was found so far. */
interface Readings {
  /** The first address of each search, by what was searched for. */
  readonly found: ReadonlyMap<string, string>
  /** What is known of each address. */
  readonly pages: ReadonlyMap<string, string>
  readonly calculated: string | undefined
}

function research(wish: Wish, readings: Readings): ScriptReply {
  const { names, ofPeople, asked, unit } = wish
  if (readings.calculated !== undefined)
    return answer('The program has calculated it.', `${readings.calculated}${unit}`)
  const first = lookUp(names, readings)
  if ('next' in first) return first.next
  const works = ofPeople
    ? first.pages.flatMap((page) => Array.from(page.matchAll(/^- (.+)$/gm), ([, work = '']) => work))
    : names
  const second = lookUp(works, readings)
  if ('next' in second) return second.next
  const quantity = asked === 'paint' ? 'length' : asked
  const figures = second.pages.map((page) => readWith(PATTERNS[quantity], page))
  if (figures.length === 0 || figures.includes(undefined))
    return answer('The documents do not say it in a way that I can read.', 'I do not know.')
  if (asked !== 'paint') return conclude(figures.join(wish.isDifference ? ' - ' : ' + '), figures, unit)
  const third = lookUp([PAINT], readings)
  if ('next' in third) return third.next
  return conclude(`(${figures.join(' + ')}) * ${readWith(PATTERNS.rate, third.pages[0] ?? '')}`, [], unit)
}

/** A single figure is the answer; several are calculated with. */
function conclude(formula: string, figures: readonly (string | undefined)[], unit: string): ScriptReply {
  if (figures.length === 1) return answer('The document says it.', `${formula}${unit}`)
  const program = `<code>\nprint(f"{${formula}:g}")\n</code>`
  return {
    text: `${think('I have what I need, and calculate.')}\n<tool_call>\n{"name": "python", "arguments": {}}\n${program}\n</tool_call>`,
  }
}

/** Searches for what was not searched for, then reads what was not read: all of it in one call each. */
function lookUp(
  names: readonly string[],
  { found, pages }: Readings,
): { readonly next: ScriptReply } | { readonly pages: readonly string[] } {
  const unknown = names.filter((name) => !found.has(name))
  if (unknown.length > 0) return { next: call(`I look for ${unknown.join(', ')}.`, 'search', { query: unknown }) }
  const addresses = names.map((name) => found.get(name) ?? '')
  const unread = addresses.filter((address) => !pages.has(address))
  const goal = names.join(', ')
  if (unread.length > 0) return { next: call(`I read what I found: ${unread.length}.`, 'visit', { url: unread, goal }) }
  return { pages: addresses.map((address) => pages.get(address) ?? '') }
}

/** Results come back as the words of the user, in tags; several of one call are divided by a line. */
function readingsIn(messages: readonly WireMessage[]): Readings {
  const results = messages.flatMap(({ role, text }) => {
    const inner = role === 'user' ? /^<tool_response>\n([\s\S]*)\n<\/tool_response>$/.exec(text)?.[1] : undefined
    return inner?.split('\n=======\n') ?? []
  })
  const found = new Map<string, string>()
  const pages = new Map<string, string>()
  for (const result of results) {
    const [, query] = /^The search for "(.*)" found/.exec(result) ?? []
    const [, address] = /^(?:What|Nothing is known of what) (\S+) says/.exec(result) ?? []
    if (query !== undefined) found.set(query, /^1\. \[.*\]\((.*)\)$/m.exec(result)?.[1] ?? '')
    if (address !== undefined) pages.set(address, result)
  }
  const calculated = results
    .map((result) => /^stdout:\n(\S+)$/.exec(result)?.[1])
    .findLast((output) => output !== undefined)
  return { found, pages, calculated }
}

const readWith = (pattern: RegExp, page: string): string | undefined =>
  pattern
    .exec(page)
    ?.slice(1)
    .find((group) => group !== undefined)

const think = (thought: string): string => `<think>\n${thought}\n</think>`

const answer = (thought: string, text: string): ScriptReply => ({ text: `${think(thought)}\n<answer>${text}</answer>` })

const call = (thought: string, name: string, args: object): ScriptReply => ({
  text: `${think(thought)}\n<tool_call>\n${JSON.stringify({ name, arguments: args })}\n</tool_call>`,
})

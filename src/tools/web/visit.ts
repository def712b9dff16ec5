import { z } from 'zod'
import { type Deadline, openDeadline } from '../../core/deadline.ts'
import { describeError } from '../../core/error.ts'
import { type Ask, metered } from '../ask.ts'
import { mapAtMost } from '../at-most.ts'
import { tool } from '../define.ts'
import type { Tool, ToolContext } from '../tool.ts'
import { excerpt } from './excerpt.ts'
import { type Extract, extract } from './extract.ts'
import { joined, type Part } from './joined.ts'
import type { Page, PageReader } from './pages.ts'

export interface VisitOptions {
  readonly pages: PageReader
  /** Picks from a page what serves the goal. Without it, the passages that hold most of the goal's words are shown. */
  readonly ask?: Ask
  /** Milliseconds for all addresses of a call together. Default: 15 minutes. */
  readonly totalTime?: number
}

const FIFTEEN_MINUTES = 900_000
/** For what is under way to end. */
const MARGIN = 10_000
const AT_ONCE = 3
const MOST = 20
/** Characters of a page that are shown where nobody picks them by meaning; of several pages together, so that all are seen. */
const EXCERPT = 6_000
const EXCERPTS = 20_000

const address = z.string().trim().min(1)
const input = z.object({
  url: z
    .union([address, z.array(address).min(1).max(MOST)])
    .transform((given) => [...new Set(typeof given === 'string' ? [given] : given)])
    .describe('The address of a page, PDF or text, as search gives it or beginning with https://, or a list of them.'),
  goal: z.string().trim().min(1).max(2_000).describe('What you want to find out there.'),
})

/** Reads pages for a goal. One that cannot be read does not spoil the others. */
export function visit({ pages, ask, totalTime = FIFTEEN_MINUTES }: VisitOptions): Tool {
  return tool({
    name: 'visit',
    description: `Reads ${pages.isLocal ? 'documents' : 'web pages, PDFs and texts'} at the addresses you give, and gives back what in them serves your goal. Name the goal as exactly as you can: only what serves it is shown.`,
    input,
    effects: pages.isLocal ? 'read' : ['read', 'egress'],
    repeatable: true,
    timeLimit: totalTime + MARGIN,
    async run({ url, goal }, { signal, permits }: ToolContext) {
      using deadline = openDeadline(signal, totalTime, 'The visit')
      const second = ask && metered(ask)
      // An address may stand alone or in a list, and a policy may know one of these only.
      const mayLeave =
        permits && (async ({ href }: URL) => (await permits({ url: href, goal })) || permits({ url: [href], goal }))
      const visitOne = async (each: string): Promise<Part> => {
        try {
          deadline.signal.throwIfAborted()
          const page = await pages.read(each, deadline.signal, mayLeave)
          const room = Math.min(EXCERPT, Math.floor(EXCERPTS / url.length))
          return await show({ page, asked: each, goal, room, ...(second && { ask: second.ask }) }, deadline.signal)
        } catch (error) {
          signal.throwIfAborted()
          return failed(each, goal, problemOf(error, deadline, totalTime))
        }
      }
      return { ...joined(await mapAtMost(AT_ONCE, url, visitOne)), ...second?.spent() }
    },
  })
}

function problemOf(error: unknown, { expired }: Deadline, totalTime: number): string {
  if (expired) return `It was not read: the ${totalTime / 1000} s for one call are used up. Visit it in another call.`
  return describeError(error)
}

const failed = (url: string, goal: string, problem: string): Part => ({
  ok: false,
  text: `Nothing is known of what ${url.slice(0, 500)} says about the goal "${goal}": it could not be read. ${problem}`,
  value: { url, problem },
})

interface Shown {
  readonly page: Page
  readonly asked: string
  readonly goal: string
  /** Characters for an excerpt. */
  readonly room: number
  readonly ask?: Ask
}

async function show(shown: Shown, signal: AbortSignal): Promise<Part> {
  const { page, asked, goal, ask } = shown
  const { url, title = '' } = page
  const moved = url === asked || new URL(asked).href === url ? '' : ` (found at ${url})`
  const header = `What ${asked}${moved} says about the goal "${goal}":${title === '' ? '' : `\n\nTitle: ${title}`}`
  if (ask === undefined) return excerptPart(shown, header)
  const extraction = await extract(ask, page.text, goal, signal)
  if (extraction.ok) return extractPart(page, header, extraction.value)
  const note = `No second model picked these parts (${extraction.problem}); they are the passages with most words of the goal.`
  return excerptPart(shown, `${header}\n\n${note}`)
}

function extractPart({ url }: Page, header: string, value: Extract): Part {
  const evidence = value.evidence === '' ? 'None.' : value.evidence
  const text = `${header}\n\n## Evidence in the page\n\n${evidence}\n\n## Summary\n\n${value.summary}`
  return { ok: true, text, value: { url, ...value } }
}

function excerptPart({ page: { url, text }, goal, room }: Shown, header: string): Part {
  const shown = excerpt(text, goal, room)
  const size = shown === text ? 'The whole page' : `Passages of the page, which has ${text.length} characters`
  return { ok: true, text: `${header}\n\n## ${size}\n\n${shown}`, value: { url, excerpt: shown } }
}

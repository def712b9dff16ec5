import type { Robot } from 'robots-parser'
import { type Broker, USER_AGENT } from '../fetch/broker.ts'
import { FetchError } from '../fetch/fetch-error.ts'

/** Whether the owner of a site wants a page to be visited by programs. */
export interface Robots {
  /** Why not, as a whole sentence. Each site is asked once. */
  objection(url: URL, signal: AbortSignal): Promise<string | undefined>
}

const LIMITS = { total: 10_000, bytes: 1 << 19, expanded: 1 << 19 }

/** What the package gives is not what its types say. */
type Parse = (url: string, text: string) => Robot

type Rules = Robot | 'none' | 'unknown'

/** By RFC 9309: no file is no objection; a server that fails to give it out objects to everything. */
export function openRobots(broker: Broker): Robots {
  const known = new Map<string, Promise<Rules>>()
  return {
    async objection(url, signal) {
      const rules = known.get(url.origin) ?? fetchRules(broker, url.origin, signal)
      known.set(url.origin, rules)
      // Whoever asks next may have more time.
      rules.catch(() => known.delete(url.origin))
      const found = await rules
      if (found === 'none') return undefined
      const file = `${url.origin}/robots.txt`
      if (found === 'unknown')
        return `${file} could not be read for trouble of the server, so ${url.href} is not visited.`
      return found.isDisallowed(url.href, USER_AGENT) ? `${file} asks programs not to visit ${url.href}.` : undefined
    },
  }
}

async function fetchRules(broker: Broker, origin: string, signal: AbortSignal): Promise<Rules> {
  const url = `${origin}/robots.txt`
  try {
    const { status, bytes } = await broker.fetch({ url, limits: LIMITS }, signal)
    if (status >= 500) return 'unknown'
    if (status >= 400) return 'none'
    const { default: parse } = (await import('robots-parser')) as unknown as { readonly default: Parse }
    return parse(url, Buffer.from(bytes).toString())
  } catch (error) {
    // Where the site cannot be reached, the page will tell.
    if (error instanceof FetchError) return 'none'
    throw error
  }
}

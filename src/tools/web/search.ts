import { z } from 'zod'
import { oneLine } from '../../core/clip.ts'
import { mapAtMost } from '../at-most.ts'
import { tool } from '../define.ts'
import type { Tool } from '../tool.ts'
import { joined, type Part } from './joined.ts'
import { queries } from './queries.ts'
import type { Hit, SearchService } from './search-service.ts'
import { ServiceError } from './service.ts'

const TEN_MINUTES = 600_000

const input = z.object({
  query: queries.describe('One query, or a list of them that are searched one after the other.'),
})

/** Searches the web, or a local collection, with one service, several queries in a call. A query that fails does not spoil the others. */
export function search(service: SearchService): Tool {
  return tool({
    name: 'search',
    description: `Searches ${service.isLocal ? 'a collection of documents' : 'the web'} and gives the best results of each query: title, address, date and source where they are known, and a few words of the page. Give several queries at once to look at a question from several sides. To read a result, visit it.`,
    input,
    effects: service.isLocal ? 'read' : ['read', 'egress'],
    repeatable: true,
    timeLimit: TEN_MINUTES,
    run: async ({ query }, { signal }) => joined(await mapAtMost(1, query, (each) => searchOne(service, each, signal))),
  })
}

async function searchOne(service: SearchService, query: string, signal: AbortSignal): Promise<Part> {
  try {
    const hits = await service.search(query, signal)
    return { ok: true, text: show(service.name, query, hits), value: { query, hits: hits.map((hit) => ({ ...hit })) } }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const text = `The search for "${query}" failed, so nothing is known about what it would find. ${service.name}: ${error.message}`
    return { ok: false, text, value: { query, problem: error.message } }
  }
}

function show(service: string, query: string, hits: readonly Hit[]): string {
  if (hits.length === 0)
    return `The search for "${query}" found nothing (${service}). Try a more general query, or other words.`
  const results = hits.length === 1 ? '1 result' : `${hits.length} results`
  return [`The search for "${query}" found ${results} (${service}):`, '## Web results', ...hits.map(showHit)].join(
    '\n\n',
  )
}

/** Google's stand-in for a video, no words of the page. */
const NO_VIDEO = "Your browser can't play this video."

function showHit({ title, link, snippet = '', date, source }: Hit, index: number): string {
  const lines = [
    `${index + 1}. [${oneLine(title, 300)}](${link})`,
    ...(date === undefined ? [] : [`Date: ${oneLine(date, 60)}`]),
    ...(source === undefined ? [] : [`Source: ${oneLine(source, 100)}`]),
    oneLine(snippet.replaceAll(NO_VIDEO, ''), 1_000),
  ]
  return lines.filter((line) => line !== '').join('\n')
}

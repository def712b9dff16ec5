import { z } from 'zod'
import { oneLine } from '../../core/clip.ts'
import { mapAtMost } from '../at-most.ts'
import { tool } from '../define.ts'
import type { Tool } from '../tool.ts'
import { joined, type Part } from './joined.ts'
import { queries } from './queries.ts'
import type { ScholarService, Work } from './scholar-service.ts'
import { ServiceError } from './service.ts'

const TEN_MINUTES = 600_000
/** Queries of one call that are searched side by side, as in the original. */
const AT_ONCE = 3

const input = z.object({ query: queries.describe('One query, or a list of them.') })

/** Searches works of science, in every service that is given. One that fails does not spoil the others. */
export function scholar(services: readonly ScholarService[]): Tool {
  return tool({
    name: 'scholar',
    description:
      'Searches papers, books and other works of science, and gives for each: title, address of a PDF where there is one, authors and where it was published, year, how often it is cited, and the beginning of its abstract.',
    input,
    effects: ['read', 'egress'],
    repeatable: true,
    timeLimit: TEN_MINUTES,
    run: async ({ query }, { signal }) =>
      joined(await mapAtMost(AT_ONCE, query, (each) => searchOne(services, each, signal))),
  })
}

type Answer = { readonly works: readonly Work[] } | { readonly problem: string }

async function searchOne(services: readonly ScholarService[], query: string, signal: AbortSignal): Promise<Part> {
  const answers = await Promise.all(services.map((service) => ask(service, query, signal)))
  const problems = answers.flatMap((answer) => ('problem' in answer ? [answer.problem] : []))
  if (problems.length === services.length) {
    const text = `The search for "${query}" failed, so nothing is known about what it would find. ${problems.join(' ')}`
    return { ok: false, text, value: { query, problem: problems.join(' ') } }
  }
  const works = distinct(answers.flatMap((answer) => ('works' in answer ? answer.works : [])))
  const notes = problems.map((problem) => `Not searched: ${problem}`)
  const names = services.map(({ name }) => name).join(', ')
  return {
    ok: true,
    text: [show(query, works, names), ...notes].join('\n\n'),
    value: { query, works: works.map((work) => ({ ...work })) },
  }
}

async function ask(service: ScholarService, query: string, signal: AbortSignal): Promise<Answer> {
  try {
    return { works: await service.search(query, signal) }
  } catch (error) {
    if (error instanceof ServiceError) return { problem: `${service.name}: ${error.message}` }
    throw error
  }
}

/** Services know the same works; what stands in the first of them counts. */
function distinct(works: readonly Work[]): Work[] {
  const seen = new Set<string>()
  return works.filter(({ title }) => {
    const key = title
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N}]+/gu, ' ')
      .trim()
    return !seen.has(key) && seen.add(key)
  })
}

function show(query: string, works: readonly Work[], names: string): string {
  if (works.length === 0)
    return `The search for "${query}" found nothing (${names}). Try a more general query, or other words.`
  const results = works.length === 1 ? '1 work' : `${works.length} works`
  return [`The search for "${query}" found ${results} (${names}):`, '## Scholar results', ...works.map(showWork)].join(
    '\n\n',
  )
}

function showWork(work: Work, index: number): string {
  const title = oneLine(work.title, 300)
  const lines = [
    `${index + 1}. ${work.link === undefined ? title : `[${title}](${work.link})`}`,
    work.pdf === undefined ? 'PDF: no link' : `PDF: ${work.pdf}`,
    ...(work.published === undefined ? [] : [`Published: ${oneLine(work.published, 300)}`]),
    ...(work.year === undefined ? [] : [`Year: ${work.year}`]),
    ...(work.citedBy === undefined ? [] : [`Cited by: ${work.citedBy}`]),
    ...(work.snippet === undefined ? [] : [oneLine(work.snippet, 600)]),
  ]
  return lines.join('\n')
}

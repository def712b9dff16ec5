import { globSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A public report of somebody's bug that no test of ours keeps from happening here, and why. */
export interface LeftOutReport {
  readonly link: string
  readonly title: string
  readonly why: string
}

/** Reports that were looked at, by what they are about. */
export interface ReportTopic {
  readonly topic: string
  readonly reports: readonly ReportEntry[]
}

/** One fault, told by one or more links. The letter of its id is that of its topic. */
export interface ReportEntry {
  readonly id: string
  readonly links: readonly string[]
}

const DATA = join(import.meta.dirname, '../data')

/** Sorted by link. */
export function readLeftOut(): LeftOutReport[] {
  const files = globSync('reports-left-out/*.json', { cwd: DATA }).sort()
  const reports = files.flatMap((file) => JSON.parse(readFileSync(join(DATA, file), 'utf8')) as LeftOutReport[])
  const order = new Intl.Collator('en', { numeric: true })
  return reports.sort((a, b) => order.compare(a.link, b.link))
}

export const readTopics = (): ReportTopic[] =>
  JSON.parse(readFileSync(join(DATA, 'reports.json'), 'utf8')) as ReportTopic[]

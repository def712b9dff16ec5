import type { Doubt, Outcome, Status } from '../core/outcome.ts'
import { count, duration, spend } from './amounts.ts'
import { handOverText } from './hand-over.ts'
import type { Paint } from './paint.ts'
import { printable, short } from './printable.ts'
import { mark } from './timeline.ts'

export interface EndingOptions {
  readonly run: string
  /** How Tao is called here: for lines to copy. */
  readonly command: string
  readonly paint: Paint
  /** The changes were applied already. */
  readonly applied?: boolean
}

const GOOD: ReadonlySet<Status> = new Set(['success', 'answered'])
const SHOWN_PATHS = 20
const DOUBTS: Readonly<Record<Doubt, string>> = {
  opinion: 'an opinion, no proof',
  error: 'could not be checked',
  timeout: 'not checked in time',
  stale: 'something was changed since',
}

/** How a run ended, for people. */
export function endingText(outcome: Outcome, options: EndingOptions): string {
  const { paint } = options
  const status = GOOD.has(outcome.status) ? paint.good(outcome.status) : paint.bad(outcome.status)
  const blocks = [
    `${paint.strong(status)}: ${printable(outcome.reason)}`,
    outcome.fix === undefined ? '' : printable(outcome.fix),
    outcome.answer === undefined ? '' : printable(outcome.answer.trim()),
    outcome.sandbox === 'external' ? paint.bad('sandbox: external, none of Tao’s own') : '',
    supportText(outcome),
    evidenceText(outcome, paint),
    outcome.handOver === undefined ? factsText(outcome) : handOverText(outcome.handOver),
    changesText(outcome.changed),
    printable(outcome.unlisted ?? ''),
    leftOutText(outcome.leftOut ?? []),
    `spent: ${count(outcome.modelCalls, 'model call')}, ${count(outcome.toolCalls, 'tool call')}, ${spend(outcome.usage)}, ${duration(outcome.durationMs)}`,
    nextText(outcome, options),
  ]
  return `${blocks.filter((block) => block !== '').join('\n\n')}\n`
}

function evidenceText({ evidence }: Outcome, paint: Paint): string {
  const lines = evidence.map(({ criterion, holds, detail, doubt, heldBefore }) => {
    const note = heldBefore
      ? ' (this was true before anything was done)'
      : doubt === undefined
        ? ''
        : ` (${DOUBTS[doubt]})`
    const said = holds
      ? short(detail.trim().split('\n')[0] ?? '')
      : printable(detail.trim()).replaceAll('\n', '\n      ')
    return `  ${mark(holds, paint)} ${short(criterion)}${note}${said === '' ? '' : `${holds ? ': ' : '\n      '}${said}`}`
  })
  return lines.length === 0 ? '' : ['checked:', ...lines].join('\n')
}

function supportText({ support = [] }: Outcome): string {
  const more = support.length - SHOWN_PATHS
  const lines = support
    .slice(0, SHOWN_PATHS)
    .map(({ sentence, from }) => `  ${short(sentence, 80)} (event ${from.join(', ')})`)
  if (lines.length === 0) return ''
  return ['where the answer has it from:', ...lines, ...(more > 0 ? [`  … and ${more} more`] : [])].join('\n')
}

function factsText({ facts = [] }: Outcome): string {
  const lines = facts.map(
    ({ fact, value, source, from }) => `  ${short(`${fact}: ${value}`)}, from ${short(source, 60)} (event ${from})`,
  )
  return lines.length === 0 ? '' : ['facts:', ...lines].join('\n')
}

function changesText(changed: readonly string[]): string {
  if (changed.length === 0) return ''
  const more = changed.length - SHOWN_PATHS
  return [
    'changed in the working copy:',
    ...changed.slice(0, SHOWN_PATHS).map((path) => `  ${short(path, 200)}`),
    ...(more > 0 ? [`  … and ${more} more`] : []),
  ].join('\n')
}

export function leftOutText(leftOut: readonly { readonly path: string; readonly why: string }[]): string {
  const more = leftOut.length - SHOWN_PATHS
  const lines = leftOut.slice(0, SHOWN_PATHS).map(({ path, why }) => `left out: ${short(path, 200)}: ${why}`)
  return [...lines, ...(more > 0 ? [`left out: ${more} more`] : [])].join('\n')
}

function nextText({ changed, status }: Outcome, { run, command, applied }: EndingOptions): string {
  const show = `see the steps:    ${command} show ${run}`
  if (changed.length === 0) return show
  const unproved = status === 'success' ? '' : ' --unproved'
  const apply = applied ? [] : [`apply it:         ${command} apply ${run}${unproved}`]
  return [`see the changes:  ${command} diff ${run}`, ...apply, show].join('\n')
}

import type { HandOver, TriedCall } from '../core/hand-over.ts'
import { count } from './amounts.ts'
import { short } from './printable.ts'

const SHOWN_CALLS = 20

/** What a person who takes over is told: what is known, and what was tried. */
export function handOverText({ known, tried }: HandOver): string {
  const results = tried.filter(({ came }) => came === 'result')
  const others = tried.filter(({ came }) => came !== 'result')
  return [
    'handed over to a person.',
    'what is known:',
    ...known.map(({ fact, value, from }) => `  ${short(`${fact}: ${value}`)} (event ${from})`),
    ...lines(results, ({ said, from }) => `${said} (event ${from})`),
    ...(known.length + results.length === 0 ? ['  nothing'] : []),
    ...(others.length === 0 ? [] : ['what was tried, and gave nothing:', ...lines(others, ({ said }) => said)]),
  ].join('\n')
}

function lines(calls: readonly TriedCall[], what: (call: TriedCall) => string): string[] {
  const more = calls.length - SHOWN_CALLS
  return [
    ...calls
      .slice(0, SHOWN_CALLS)
      .map((call) => `  ${short(call.name, 40)} ${short(call.arguments, 120)}: ${short(what(call), 200)}`),
    ...(more > 0 ? [`  … and ${count(more, 'more call')}`] : []),
  ]
}

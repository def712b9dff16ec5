import { INVENTED_OBSERVATION, type Label, SectionScan } from './labels.ts'
import { type ReplyReader, readerOf, type Sorter } from './reader.ts'
import type { ShownText } from './shown-text.ts'

export const openThoughtActionReader = (): ReplyReader => readerOf(sortSections, INVENTED_OBSERVATION)

/** One action counts, with its input; an answer counts when no action stands before it, and the first only. */
function sortSections(shown: ShownText): Sorter {
  let kind: 'reasoning' | 'call' | 'answer' | 'text' = 'reasoning'
  let hasAnswer = false
  const kindOf = (label: Label): typeof kind => {
    if (label === 'action') return shown.has('call') ? 'text' : 'call'
    if (label === 'input') return kind === 'call' && shown.has('call') ? 'call' : 'text'
    if (label !== 'answer') return 'reasoning'
    const counts = !shown.has('call') && !hasAnswer
    hasAnswer = true
    return counts ? 'answer' : 'text'
  }
  const scan = new SectionScan({
    label(label) {
      kind = kindOf(label)
      shown.begin(kind)
    },
    text: (piece) => shown.write(piece),
  })
  return { push: (text) => scan.push(text), end: () => scan.end() }
}

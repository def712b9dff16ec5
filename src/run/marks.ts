import type { MarkAdded } from '../core/approval.ts'
import type { ToolCall } from '../core/call.ts'
import type { Json } from '../core/json.ts'
import type { UserWords } from '../core/words.ts'
import { resultMarks } from '../policy/result-marks.ts'
import { ruleOf } from './rule.ts'
import type { Run } from './run.ts'

/** What was not typed may be somebody else's text. */
export function marksOfWords({ state }: Run, words: readonly UserWords[]): MarkAdded[] {
  const isForeign = words.some(({ kind }) => kind !== 'typed') && !state.marks.includes('untrusted')
  return isForeign ? [{ kind: 'mark.added', mark: 'untrusted', source: 'attachment' }] : []
}

/** What a result puts on the run that is not on it yet. Marks never leave a run. */
export function marksOf(run: Run, { id, name }: ToolCall, value?: Json): MarkAdded[] {
  const rule = ruleOf(run, name)
  if (rule === undefined) return []
  const added = resultMarks(rule, value).filter((mark) => !run.state.marks.includes(mark))
  return added.map((mark) => ({ kind: 'mark.added', mark, source: id }))
}

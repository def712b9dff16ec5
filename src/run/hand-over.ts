import { oneLine } from '../core/clip.ts'
import type { HandOver, TriedCall } from '../core/hand-over.ts'
import type { KnownFact } from '../core/known-fact.ts'
import type { Status } from '../core/outcome.ts'
import type { State } from './state.ts'

const SHOWN_CHARACTERS = 500

/** Endings after which nobody has to go on: the task was done, or a person stopped it. */
const SETTLED: ReadonlySet<Status> = new Set(['success', 'answered', 'cancelled'])

/** True where the task says that a person takes over what the run does not finish, and it did not. */
export const isHandedOver = ({ started }: Pick<State, 'started'>, status: Status): boolean =>
  started?.handOver === true && !SETTLED.has(status)

/** The note for that person; undefined where none is wanted or needed. */
export const handOverNote = (state: State, known: readonly KnownFact[], status: Status): HandOver | undefined =>
  isHandedOver(state, status) ? { known, tried: triedCalls(state) } : undefined

/** Every call has its one observation in the history, whether it ran or not. */
function triedCalls({ messages, ended }: State): TriedCall[] {
  const results = new Map(ended.map((each) => [each.call.id, each]))
  return messages.flatMap((message): TriedCall[] => {
    if (message.role !== 'observation' || message.call === undefined) return []
    const { id, name, arguments: given } = message.call
    const result = results.get(id)
    return [
      {
        ...{ call: id, name, arguments: given },
        came: result === undefined ? 'refused' : result.ok ? 'result' : 'failure',
        said: oneLine(message.text, SHOWN_CHARACTERS),
        ...(result === undefined ? {} : { from: result.seq }),
      },
    ]
  })
}

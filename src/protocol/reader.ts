import type { Delta } from '../core/request.ts'
import { ShownText } from './shown-text.ts'
import { StopGate, type StopMarker } from './stop-gate.ts'

/**
 * Reads the text of one reply while it arrives. However a reply is cut into pieces, what is shown adds up to the same. Only
 * what the protocol marks as the answer is shown as one; what is marked as nothing is a thought. Linear in time.
 */
export interface ReplyReader {
  /** Takes a piece and gives what can be shown for certain by now. After a stop marker nothing is. */
  push(piece: string): readonly Delta[]
  /** There is no more: gives the rest. */
  end(): readonly Delta[]
  /** The model has written a stop marker: nothing that follows counts. */
  readonly stopped: boolean
  /** What counts of the text so far: up to the stop marker, after `end` also without a leaked beginning of one. */
  readonly text: string
}

/** Sorts text into thoughts, calls and answers, as far as it is certain. */
export interface Sorter {
  push(text: string): void
  /** `whole`: all there was. */
  end(whole: string): void
}

/** What counts first, then what it is. */
export function readerOf(sorterFor: (shown: ShownText) => Sorter, marker?: StopMarker): ReplyReader {
  const gate = new StopGate(marker)
  const shown = new ShownText()
  const sorter = sorterFor(shown)
  return {
    push(piece) {
      sorter.push(gate.push(piece))
      return shown.take()
    },
    end() {
      sorter.push(gate.end())
      sorter.end(gate.text)
      shown.close()
      return shown.take()
    },
    get stopped() {
      return gate.stopped
    },
    get text() {
      return gate.text
    },
  }
}

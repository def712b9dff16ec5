import { createWriteStream } from 'node:fs'
import type { Event } from '../../src/core/event.ts'

/** A trace on disk: one line for each event, with what a span needs to be drawn. */
export interface SpanFile {
  readonly write: (event: Event) => void
  close(): Promise<void>
}

/** Lines are handed to the file system by the 64, as an exporter of traces would. */
const BATCH = 64

export function openSpanFile(path: string): SpanFile {
  const file = createWriteStream(path)
  let lines: string[] = []
  const flush = (): void => {
    if (lines.length > 0) file.write(`${lines.join('\n')}\n`)
    lines = []
  }
  return {
    write(event) {
      if (lines.push(JSON.stringify(spanOf(event))) >= BATCH) flush()
    },
    close() {
      flush()
      return new Promise((resolve) => file.end(resolve))
    },
  }
}

/** Sizes in place of texts: a trace goes to others, a journal stays here. */
function spanOf(event: Event): object {
  const { run, seq, at, kind } = event
  const span = { run, seq, at, kind }
  if (kind === 'request.sent') return { ...span, step: event.step, bytes: event.bytes, prefix: event.prefixBytes }
  if (kind === 'model.replied')
    return {
      ...span,
      step: event.step,
      ms: event.totalMs,
      finish: event.finish,
      calls: event.calls.length,
      ...event.usage,
    }
  if (kind === 'call.finished')
    return { ...span, call: event.call, name: event.name, ok: event.ok, ms: event.durationMs, bytes: event.bytes }
  return 'call' in event && 'name' in event ? { ...span, call: event.call, name: event.name } : span
}

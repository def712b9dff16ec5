import type { Event } from '../core/event.ts'
import type { Delta } from '../core/request.ts'
import type { Retry } from '../model/model.ts'
import { count, duration } from './amounts.ts'
import { paintFor } from './paint.ts'
import { short } from './printable.ts'
import { openTimeline } from './timeline.ts'

/** Shows a run to a person while it goes on. */
export interface LiveView extends Disposable {
  onEvent(event: Event): void
  onDelta(delta: Delta): void
  onRetry(retry: Retry): void
  say(line: string): void
  /** Leaves the screen to somebody else until it is disposed. */
  pause(): Disposable
}

/** What of a stream this needs; a terminal gets a line that says what is going on, a pipe plain lines only. */
export interface Screen {
  readonly isTTY?: boolean
  /** Width of a terminal, in characters; 0 or undefined where it is not known. */
  readonly columns?: number
  write(text: string): unknown
}

const REDRAW_MS = 250
const CLEAR_LINE = '\r\x1b[K'

export interface LiveViewOptions {
  /** Only what is said, without the line that tells what goes on. */
  readonly quiet?: boolean
  /** What had happened in the run already. */
  readonly before?: readonly Event[]
}

export function openLiveView(screen: Screen, { quiet = false, before = [] }: LiveViewOptions = {}): LiveView {
  const paint = paintFor(screen)
  const timeline = openTimeline(paint, before)
  const status = screen.isTTY === true && !quiet ? openStatusLine(screen) : undefined
  const say = (line: string): void => {
    status?.hide()
    screen.write(`${line}\n`)
  }
  return {
    say,
    onEvent(event) {
      for (const line of timeline(event)) say(line)
      status?.set(whatGoesOn(event))
    },
    onDelta: (delta) => status?.add(delta),
    onRetry: ({ attempt, waitMs, reason }) =>
      say(paint.bad(`  ! ${short(reason)}; attempt ${attempt + 1} in ${duration(waitMs)}`)),
    pause() {
      status?.pause()
      return { [Symbol.dispose]: () => status?.goOn() }
    },
    [Symbol.dispose]: () => status?.close(),
  }
}

/** What a person waits for after this event; undefined: for the same as before. */
function whatGoesOn(event: Event): string | undefined {
  if (event.kind === 'request.sent') return 'the model is thinking'
  if (event.kind === 'call.started') return `${short(event.name, 40)} is running`
  if (event.kind === 'claim.made') return 'checking the result'
  return undefined
}

/** What the model does while such pieces come. */
const WRITES: Readonly<Record<Delta['kind'], string>> = {
  reasoning: 'the model is thinking',
  text: 'the model is writing',
  call: 'the model is writing a call',
  answer: 'the model is answering',
}

interface StatusLine {
  set(what: string | undefined): void
  /** A piece of a reply on its way. */
  add(delta: Delta): void
  hide(): void
  pause(): void
  goOn(): void
  close(): void
}

function openStatusLine(screen: Screen): StatusLine {
  const began = Date.now()
  let what = 'starting'
  let received = 0
  let isShown = false
  let isPaused = false
  const hide = (): void => {
    if (isShown) screen.write(CLEAR_LINE)
    isShown = false
  }
  const draw = (): void => {
    if (isPaused) return
    const heard = received === 0 ? '' : ` · ${count(received, 'character')} so far`
    const line = `… ${what}${heard} · ${duration(Date.now() - began)}`
    screen.write(`${CLEAR_LINE}${line.slice(0, (screen.columns || 80) - 1)}`) // A wrapped line could not be cleared.
    isShown = true
  }
  const timer = setInterval(draw, REDRAW_MS)
  timer.unref()
  return {
    set(now) {
      if (now === undefined) return
      what = now
      received = 0
    },
    add({ kind, text }) {
      what = WRITES[kind]
      received += text.length
    },
    hide,
    pause() {
      isPaused = true
      hide()
    },
    goOn() {
      isPaused = false
    },
    close() {
      clearInterval(timer)
      hide()
    },
  }
}

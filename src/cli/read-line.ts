import { createInterface } from 'node:readline'
import { setTimeout as wait } from 'node:timers/promises'

/** Milliseconds in which what was typed before is taken in and forgotten. */
const FORGET_MS = 60
const CTRL_C = '\x03'

/** What was typed before a question could be read is no answer to it. */
export async function forgetTyped(): Promise<void> {
  const stdin = process.stdin
  const passOn = (typed: Buffer): void => {
    if (typed.includes(CTRL_C)) interrupt()
  }
  stdin.setRawMode(true).on('data', passOn)
  await wait(FORGET_MS)
  stdin.off('data', passOn).setRawMode(false).pause()
}

export interface LineOptions {
  readonly signal: AbortSignal
  /** What stands in the line already, to be changed. */
  readonly text?: string
}

/**
 * Asks for a line on the terminal. Resolves to undefined when there will be none: the input has ended. Ctrl-C reaches the
 * process as it does everywhere. Rejects when the signal fires.
 */
export function readLine(question: string, { signal, text = '' }: LineOptions): Promise<string | undefined> {
  signal.throwIfAborted()
  return new Promise((resolve, reject) => {
    const lines = createInterface({ input: process.stdin, output: process.stderr, terminal: true, historySize: 0 })
    const stop = (): void => {
      reject(signal.reason)
      lines.close()
    }
    signal.addEventListener('abort', stop, { once: true })
    lines.on('SIGINT', interrupt)
    lines.once('close', () => {
      signal.removeEventListener('abort', stop)
      resolve(undefined)
    })
    lines.question(question, (line) => {
      resolve(line)
      lines.close()
    })
    if (text !== '') lines.write(text)
  })
}

/** A terminal that reads single keys does not do this by itself. */
const interrupt = (): void => {
  process.kill(process.pid, 'SIGINT')
}

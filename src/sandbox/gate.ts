import type { Duplex, Readable } from 'node:stream'
import { identify, killProcess, type ProcessIdentity } from './process.ts'

/** The way a command says that it is over. */
export interface Ended {
  readonly exit: number
  readonly leftovers: boolean
}

/** The two lines to a sandbox: bubblewrap's status and the word with what runs first inside. */
export interface Gate {
  /** The first process inside, as this machine sees it: known before anything is allowed to start. */
  readonly root: ProcessIdentity | undefined
  /** True while the sandbox stands and has no order yet. */
  readonly waits: boolean
  readonly started: boolean
  readonly ended: Ended | undefined
  /** Exit code that bubblewrap recorded; it records none when it failed itself. */
  readonly recorded: number | undefined
  /** What the command is told. Once; it goes out when the sandbox waits for it. */
  order(words: string): void
  /** Ends everything inside, or makes sure that nothing will start. May be called again. */
  stop(): void
}

export interface GateListeners {
  onReady(): void
  onStart(): void
  onEnd(): void
}

/**
 * Lets the one command go only when both are known: the process to kill, and that the sandbox waits. A process that dies
 * before, on either side, leaves nothing running.
 */
export function openGate(control: Duplex, status: Readable, listeners: GateListeners): Gate {
  const gate: { -readonly [K in keyof Gate]: Gate[K] } = {
    ...{ root: undefined, waits: false, started: false, ended: undefined, recorded: undefined, stop, order },
  }
  let ready = false
  let stopped = false
  let ordered: string | undefined

  function order(words: string): void {
    ordered ??= words
    proceed()
  }

  function stop(): void {
    stopped = true
    if (gate.root === undefined) control.destroy()
    else killProcess(gate.root)
  }

  function proceed(): void {
    if (gate.root === undefined) return
    if (stopped) killProcess(gate.root)
    gate.waits = ready && !stopped && ordered === undefined
    if (stopped || !ready || gate.started || ordered === undefined) return
    gate.started = true
    control.write(ordered)
    listeners.onStart()
  }

  onLines(status, (line) => {
    const record = readRecord(line)
    gate.recorded = record['exit-code'] ?? gate.recorded
    if (record['child-pid'] !== undefined) gate.root = identify(record['child-pid'])
    proceed()
  })
  onLines(control, (line) => {
    const [word, exit, leftovers] = line.split(' ')
    if (word === 'ready') {
      ready = true
      listeners.onReady()
    }
    if (word === 'ended' && gate.started) {
      gate.ended = { exit: Number(exit), leftovers: leftovers === '1' }
      listeners.onEnd()
    }
    proceed()
  })
  return gate
}

function readRecord(line: string): { readonly 'child-pid'?: number; readonly 'exit-code'?: number } {
  try {
    return JSON.parse(line) as object
  } catch {
    return {}
  }
}

function onLines(stream: Readable, take: (line: string) => void): void {
  let rest = ''
  stream.setEncoding('utf8')
  stream.on('error', () => {}) // It breaks when the sandbox ends; the end itself is seen elsewhere.
  stream.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

import type { IncomingHttpHeaders } from 'node:http'
import type { Agent, Dispatcher } from 'undici'
import { connectionError } from './connection-error.ts'
import { ModelError } from './model.ts'

/** Milliseconds. `connect`: until the request goes out, 15 s at most. `firstByte`: until the answer begins. `idle`: between two pieces. */
export interface Timeouts {
  readonly connect: number
  readonly firstByte: number
  readonly idle: number
  readonly total: number
}

export const DEFAULT_TIMEOUTS: Timeouts = { connect: 10_000, firstByte: 300_000, idle: 120_000, total: 900_000 }

/** Takes an answer as it arrives. What it throws is what the request rejects with. */
export interface AnswerReader<T> {
  onStart(status: number, headers: IncomingHttpHeaders): void
  /** `last`: only a trailer is still missing. `done`: nothing is. */
  onData(chunk: Buffer): Progress
  /** There is no more, as it should be or because of trouble. Throws the trouble unless all that matters is there. */
  onEnd(trouble?: ModelError): T
}

export type Progress = 'more' | 'last' | 'done'

export interface Post<T> {
  /** Who is asked, for messages. */
  readonly name: string
  readonly url: URL
  readonly headers: Readonly<Record<string, string>>
  readonly bytes: Uint8Array
  readonly timeouts: Timeouts
  readonly signal: AbortSignal
  readonly reader: AnswerReader<T>
}

/** How long a server may take to end an answer that is complete. */
const TRAILER_MS = 2_000

/** One HTTP request. Rejects with a `ModelError`, or with the signal's reason; both close the connection. */
export async function post<T>(options: Post<T>): Promise<T> {
  options.signal.throwIfAborted()
  const agent = await sharedAgent()
  options.signal.throwIfAborted()
  return await new Promise<T>((resolve, reject) => {
    const exchange = new Exchange(options, resolve, reject)
    const { url, headers, bytes } = options
    const { buffer, byteOffset, byteLength } = bytes
    const request: Dispatcher.DispatchOptions = {
      origin: url.origin,
      path: url.pathname + url.search,
      method: 'POST',
      headers,
      body: Buffer.from(buffer, byteOffset, byteLength),
      headersTimeout: 0, // Every limit is kept here: the agent's own have no names and a second's grain.
      bodyTimeout: 0,
    }
    try {
      agent.dispatch(request, exchange)
    } catch (error) {
      exchange.fail(error)
    }
  })
}

/** The life of one request: whatever comes first (an end, an error, a limit, an abort) settles it, once. */
class Exchange<T> implements Dispatcher.DispatchHandler {
  readonly #options: Post<T>
  readonly #resolve: (value: T) => void
  readonly #reject: (reason: unknown) => void
  readonly #total: NodeJS.Timeout
  #phase: NodeJS.Timeout
  #last = false
  #settled = false
  /** Nothing more can come over the connection. */
  #ended = false
  #controller: Dispatcher.DispatchController | undefined

  constructor(options: Post<T>, resolve: (value: T) => void, reject: (reason: unknown) => void) {
    this.#options = options
    this.#resolve = resolve
    this.#reject = reject
    this.#total = this.#limit('total')
    this.#phase = this.#limit('connect')
    options.signal.addEventListener('abort', this.#onAbort)
  }

  onRequestStart(controller: Dispatcher.DispatchController): void {
    this.#controller = controller
    if (this.#settled) controller.abort(new Error('no longer wanted'))
    else this.#enter('firstByte')
  }

  onResponseStart(_: Dispatcher.DispatchController, status: number, headers: IncomingHttpHeaders): void {
    if (status < 200) return
    this.#enter('idle')
    this.#guard(() => this.#options.reader.onStart(status, headers))
  }

  onResponseData(_: Dispatcher.DispatchController, chunk: Buffer): void {
    if (this.#settled) return
    this.#guard(() => {
      const progress = this.#options.reader.onData(chunk)
      if (progress === 'done') this.#finish(undefined)
      else if (progress === 'last' && !this.#last) this.#awaitTrailer()
      else if (!this.#settled) this.#phase.refresh()
    })
  }

  onResponseEnd(): void {
    this.#ended = true
    clearTimeout(this.#phase)
    this.#finish(undefined)
  }

  onResponseError(_: Dispatcher.DispatchController, error: Error): void {
    this.fail(error)
  }

  fail(error: unknown): void {
    this.#ended = true
    clearTimeout(this.#phase)
    this.#finish(connectionError(error, this.#options))
  }

  readonly #onAbort = (): void => {
    this.#settle()
    this.#reject(this.#options.signal.reason)
    this.#controller?.abort(new Error('aborted'))
  }

  #enter(phase: 'firstByte' | 'idle'): void {
    clearTimeout(this.#phase)
    if (!this.#settled) this.#phase = this.#limit(phase)
  }

  #awaitTrailer(): void {
    this.#last = true
    clearTimeout(this.#phase)
    this.#phase = setTimeout(() => this.#finish(undefined), Math.min(TRAILER_MS, this.#options.timeouts.idle))
  }

  #limit(limit: keyof Timeouts): NodeJS.Timeout {
    const milliseconds = this.#options.timeouts[limit]
    return setTimeout(() => this.#finish(timeoutError(this.#options.name, limit, milliseconds)), milliseconds)
  }

  #finish(trouble: ModelError | undefined): void {
    if (this.#settled) return
    this.#guard(() => {
      const value = this.#options.reader.onEnd(trouble)
      this.#settle()
      this.#resolve(value)
      this.#giveUpLater()
    })
  }

  /** Runs what may throw: the request then rejects with it, and its connection is closed. */
  #guard(action: () => void): void {
    try {
      action()
    } catch (error) {
      this.#settle()
      this.#reject(error)
      this.#controller?.abort(new Error('no use'))
    }
  }

  #settle(): void {
    this.#settled = true
    clearTimeout(this.#total)
    clearTimeout(this.#phase)
    this.#options.signal.removeEventListener('abort', this.#onAbort)
  }

  /** An answer that is complete may still lack its end: then the connection is given up, not waited for. */
  #giveUpLater(): void {
    if (this.#ended) return
    this.#phase = setTimeout(() => this.#controller?.abort(new Error('no end')), TRAILER_MS).unref()
  }
}

const PHASES: Readonly<Record<keyof Timeouts, string>> = {
  connect: 'could not be connected to',
  firstByte: 'did not begin to answer',
  idle: 'sent nothing more',
  total: 'did not finish answering',
}

const timeoutError = (name: string, limit: keyof Timeouts, milliseconds: number): ModelError =>
  new ModelError('timeout', `${name} ${PHASES[limit]} within ${milliseconds / 1000} s (time limit "${limit}").`)

let agent: Promise<Agent> | undefined

/**
 * One pool of kept-alive connections for the process, loaded when the first request goes out. The entry is the agent's
 * own file: the package's main one loads four times as much.
 */
function sharedAgent(): Promise<Agent> {
  agent ??= loadAgent()
  return agent
}

/** An attempt nobody waits for any more goes on until then. */
const LONGEST_CONNECT_MS = 15_000

const AGENT_ENTRY: string = 'undici/lib/dispatcher/agent.js'

async function loadAgent(): Promise<Agent> {
  const { default: AgentClass } = (await import(AGENT_ENTRY)) as { default: new (options: Agent.Options) => Agent }
  return new AgentClass({ keepAliveTimeout: 30_000, connect: { timeout: LONGEST_CONNECT_MS } })
}

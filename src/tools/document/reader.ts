import { once } from 'node:events'
import { Worker } from 'node:worker_threads'
import { openDeadline } from '../../core/deadline.ts'
import { describeError } from '../../core/error.ts'
import { atMost } from '../at-most.ts'
import { DocumentError } from './document-error.ts'
import type { ReadAnswer, ReadOrder } from './reading.ts'

/** Milliseconds for one document, and megabytes that reading may take. */
export interface ReadLimits {
  readonly time: number
  readonly memory: number
}

export const DEFAULT_READ_LIMITS: ReadLimits = { time: 30_000, memory: 512 }

/** Reading is work for a processor; more at once would only make all of them slow. */
const inTurn = atMost(2)

/** Threads that wait for their next document: loading what reads takes far longer than most reading. They keep nothing alive. */
const idle: Worker[] = []

/** Rejects with a `DocumentError` for a limit, or with the signal's reason; the thread is then ended, whatever it does. */
export function readInThread(order: ReadOrder, signal: AbortSignal, limits: ReadLimits): Promise<ReadAnswer> {
  return inTurn(async () => {
    signal.throwIfAborted()
    const own = limits.memory !== DEFAULT_READ_LIMITS.memory
    const worker = (own ? undefined : idle.pop()) ?? startThread(limits)
    try {
      const answer = await askThread(worker, order, signal, limits)
      if (own) await worker.terminate()
      else idle.push(worker)
      return answer
    } catch (error) {
      await worker.terminate()
      throw error
    }
  })
}

/** The thread is source or built, as this file is. */
const THREAD = new URL(`./reader-thread.${import.meta.url.endsWith('.ts') ? 'ts' : 'js'}`, import.meta.url)

function startThread({ memory }: ReadLimits): Worker {
  // What libraries print there is not for our own output.
  const quiet = { stdout: true, stderr: true }
  const worker = new Worker(THREAD, {
    env: {},
    execArgv: [],
    ...quiet,
    resourceLimits: { maxOldGenerationSizeMb: memory },
  })
  worker.on('error', () => {}) // One that nobody listens to would end the process.
  worker.once('exit', () => {
    const at = idle.indexOf(worker)
    if (at !== -1) idle.splice(at, 1)
  })
  return worker
}

async function askThread(
  worker: Worker,
  order: ReadOrder,
  signal: AbortSignal,
  { time, memory }: ReadLimits,
): Promise<ReadAnswer> {
  using deadline = openDeadline(signal, time, 'Reading it')
  using _ = watchMemory(worker, memory, () => deadline.abort(tooLarge(memory)))
  worker.ref()
  worker.postMessage(order)
  try {
    const [answer] = (await once(worker, 'message', { signal: deadline.signal })) as [ReadAnswer]
    return answer
  } catch (error) {
    if (deadline.expired) throw new DocumentError('limit', `It could not be read within ${time / 1000} s.`)
    if (deadline.signal.aborted) throw deadline.signal.reason
    throw explain(error, memory)
  } finally {
    worker.unref()
  }
}

const MEMORY_LOOK_MS = 100
const MEBIBYTE = 1 << 20

/** The thread's own bound is on its heap. What was unpacked lies outside of it, so that is looked at as it grows. */
function watchMemory(worker: Worker, memory: number, stop: () => void): Disposable {
  const look = async () => {
    const { external_memory: outside } = await worker.getHeapStatistics()
    if (outside > memory * MEBIBYTE) stop()
  }
  // A thread that has ended cannot be asked, and holds nothing.
  const timer = setInterval(() => look().catch(() => undefined), MEMORY_LOOK_MS)
  return { [Symbol.dispose]: () => clearInterval(timer) }
}

const tooLarge = (memory: number): DocumentError =>
  new DocumentError('limit', `Reading it takes more than ${memory} MB of memory.`)

function explain(error: unknown, memory: number): DocumentError {
  if (error instanceof Error && 'code' in error && error.code === 'ERR_WORKER_OUT_OF_MEMORY') return tooLarge(memory)
  return new DocumentError('broken', `It could not be read: ${describeError(error)}.`)
}

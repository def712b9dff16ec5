import type { Socket } from 'node:net'

export interface ProxyLimits {
  /** From inside, at once. */
  readonly connections: number
  /** Bytes to and from hosts, all connections together. */
  readonly bytes: number
  /** Milliseconds without a byte. */
  readonly idleTime: number
  /** Milliseconds of one connection. */
  readonly totalTime: number
}

/** Gives every socket of one proxy an end, and counts what goes through. */
export interface Meter {
  /** Connections from inside that are open. */
  readonly inside: number
  /** Takes a connection from inside. */
  enter(socket: Socket): void
  /** Takes a connection to a host. */
  leave(socket: Socket): void
  close(): void
}

const COUNT_EVERY = 50

/** `onFull` is told once, when more went through than the limit says; everything is closed by then. */
export function openMeter(limits: ProxyLimits, onFull: () => void): Meter {
  const inside = new Set<Socket>()
  const outside = new Set<Socket>()
  let gone = 0
  let isFull = false

  const count = (): void => {
    let bytes = gone
    for (const socket of outside) bytes += socket.bytesRead + socket.bytesWritten
    if (bytes <= limits.bytes) return
    if (!isFull) onFull()
    isFull = true
    close()
  }
  const counting = setInterval(count, COUNT_EVERY)
  counting.unref()

  function take(socket: Socket, to: Set<Socket>): void {
    to.add(socket)
    const timer = setTimeout(() => socket.destroy(), limits.totalTime)
    socket.setTimeout(limits.idleTime, () => socket.destroy())
    socket.on('error', () => {}) // It closes as well, and that is what counts.
    socket.on('close', () => {
      clearTimeout(timer)
      to.delete(socket)
      if (to === outside) gone += socket.bytesRead + socket.bytesWritten
      count()
    })
  }

  function close(): void {
    clearInterval(counting)
    for (const socket of [...inside, ...outside]) socket.destroy()
  }

  return {
    get inside() {
      return inside.size
    },
    enter: (socket) => take(socket, inside),
    leave(socket) {
      take(socket, outside)
      if (isFull) socket.destroy()
    },
    close,
  }
}

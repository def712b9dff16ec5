import { constants } from 'node:os'

const NAMES = { SIGINT: 'Ctrl-C', SIGTERM: 'SIGTERM', SIGHUP: 'SIGHUP: the terminal was closed' } as const

export interface Cancelling extends Disposable {
  readonly signal: AbortSignal
}

/**
 * The first Ctrl-C, SIGTERM or SIGHUP cancels: the run closes what is open and ends. The second ends the process at
 * once; what runs in the sandbox ends with it. A reader that goes away cancels too: nobody would see the result.
 */
export function cancelOnSignals(onCancel: () => void): Cancelling {
  const controller = new AbortController()
  const cancel = (by: string): void => {
    controller.abort(by)
    onCancel()
  }
  const onSignal = (name: keyof typeof NAMES): void => {
    if (controller.signal.aborted) process.exit(128 + constants.signals[name])
    cancel(NAMES[name])
  }
  const onLostReader = (): void => {
    if (!controller.signal.aborted) cancel('its reader: standard output was closed')
  }
  for (const name of Object.keys(NAMES)) process.on(name, onSignal)
  process.stdout.on('error', onLostReader)
  return {
    signal: controller.signal,
    [Symbol.dispose]() {
      for (const name of Object.keys(NAMES)) process.off(name, onSignal)
      process.stdout.off('error', onLostReader)
    },
  }
}

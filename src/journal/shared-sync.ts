import { type FileHandle, open } from 'node:fs/promises'

/** Puts on disk what stands in a file, beside the event loop. Those who ask at once share one wait. */
export interface SharedSync {
  /** Resolves when everything that was written before the call is on disk. */
  run(): Promise<void>
  close(): Promise<void>
}

/**
 * SQLite's `synchronous = FULL` syncs the write-ahead log after a commit and holds the whole process while it does. This
 * does the same to the same file without holding it; `node bench/journal.ts` shows what the one and the other cost.
 * Without a path there is nothing to do.
 */
export function sharedSync(path: string | undefined): SharedSync {
  let file: FileHandle | undefined
  let running: Promise<void> = Promise.resolve()
  let next: Promise<void> | undefined

  const syncFile = async (path: string): Promise<void> => {
    file ??= await open(path, 'r+')
    await file.datasync()
  }

  const queue = (path: string): Promise<void> => {
    // One that runs already may have begun before the caller's bytes were written: wait for the one after it.
    next ??= running.then(() => {
      const now = syncFile(path)
      next = undefined
      running = now.catch(() => undefined)
      return now
    })
    return next
  }

  return {
    run: async () => (path === undefined ? undefined : await queue(path)),
    close: async () => {
      await next?.catch(() => undefined)
      await running
      await file?.close()
    },
  }
}

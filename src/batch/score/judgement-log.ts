import { openAppendFile, readAppended } from '../append-file.ts'

/** One call of a judging model: what it was asked and what it said. */
export interface JudgeCall {
  /** SHA-256 of all that the reply depends on. */
  readonly key: string
  /** ISO 8601. */
  readonly at: string
  readonly judge: string
  readonly model: string
  readonly system: string
  readonly user: string
  readonly reply: string
}

/** The journal of a judge: every call that gave a judgement. What was asked once is not asked again. */
export interface JudgementLog {
  replyFor(key: string): string | undefined
  /** After `close` it keeps nothing: a call may come back when nobody waits for it any more. */
  add(call: JudgeCall): void
  close(): void
}

/** Known to whoever holds it, and then to nobody. */
export function memoryJudgementLog(): JudgementLog {
  const replies = new Map<string, string>()
  return {
    replyFor: (key) => replies.get(key),
    add: ({ key, reply }) => replies.set(key, reply),
    close: () => undefined,
  }
}

/** Opens it at its end; makes it when it is not there. Rejects with a `TaoError`. */
export async function openJudgementLog(path: string): Promise<JudgementLog> {
  const replies = new Map<string, string>()
  for await (const { key, reply } of readAppended(path))
    if (typeof key === 'string' && typeof reply === 'string') replies.set(key, reply)
  const file = openAppendFile(path)
  let isOpen = true
  return {
    replyFor: (key) => replies.get(key),
    add(call) {
      if (!isOpen) return
      replies.set(call.key, call.reply)
      file.append(call)
    },
    close() {
      isOpen = false
      file.close()
    },
  }
}

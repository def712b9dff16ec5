/** What a runner is told. Paths are absolute. */
export interface Setting {
  /** Of the scripted service, up to and with `/v1`. */
  readonly baseUrl: string
  /** Replies with a call that one run will see; the one after them answers. */
  readonly rounds: number
  readonly stream: boolean
  /** Path of the file in which a runner that keeps something may keep it; others beside it begin with its name. */
  readonly database: string
  /** Each commit waits for the disk, where the runner commits at all. */
  readonly everyCommitDurable: boolean
}

export interface Agent {
  /** One run to its end; resolves to the final text. */
  run(task: string, id: string): Promise<string>
  /** Everything is kept when this resolves. */
  close(): Promise<void>
}

export type OpenAgent = (setting: Setting) => Promise<Agent>

/** Loaded when asked for: a fresh process pays for its own runner only. */
export const RUNNERS: Readonly<Record<string, () => Promise<{ readonly openAgent: OpenAgent }>>> = {
  'bare-fetch': () => import('./bare-fetch.ts'),
  tao: () => import('./tao.ts'),
  'tao-entry': () => import('./tao-entry.ts'),
}

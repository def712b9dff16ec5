import { TaoError } from '../core/error.ts'

/** Runs commands that nobody trusts. Sees nothing but what is bound into it; no network, no keys, no terminal. */
export interface Sandbox {
  readonly name: string
  /** Tries the full profile on a command that does nothing. Never throws. */
  probe(): Promise<Probe>
  /**
   * Runs one command and waits until every process of it is gone. Rejects with a `SandboxError` when the sandbox itself
   * failed, so that it is never taken for the command's failure; with the signal's reason when it is aborted.
   */
  run(command: Command, signal: AbortSignal): Promise<CommandResult>
}

export type Probe =
  | { readonly ok: true; readonly detail: string }
  | { readonly ok: false; readonly problem: string; readonly fix: string }

export interface Command {
  readonly argv: readonly string[]
  /** The working copy, seen as /workspace; without one, /workspace is an empty folder. */
  readonly view?: View
  /** Bytes for standard input, which is closed after them. */
  readonly stdin?: string
  /** Host files or folders to be seen read-only, by the path they are seen at. */
  readonly readOnly?: Readonly<Record<string, string>>
  readonly limits?: Partial<SandboxLimits>
}

/** What of the host a command may see and change. */
export interface View {
  /** Absolute host path, seen as /workspace. */
  readonly copy: string
  /** Paths below it that no command can change. */
  readonly protect: readonly string[]
}

export interface SandboxLimits {
  /** Milliseconds from the start of the command. */
  readonly wallTime: number
  /** Seconds of processor time, each process. */
  readonly cpuTime: number
  readonly processes: number
  /** Bytes of address space, each process. */
  readonly memory: number
  /** Bytes of one file. */
  readonly fileSize: number
  /** Bytes of temporary space. */
  readonly tempSpace: number
  /** Bytes written to standard output and error together; the command is ended beyond. */
  readonly output: number
  /** Bytes kept of each of them: the first and the last half. */
  readonly keep: number
}

const MEBIBYTE = 1 << 20

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  wallTime: 120_000,
  cpuTime: 300,
  processes: 256,
  memory: 8192 * MEBIBYTE,
  fileSize: 512 * MEBIBYTE,
  tempSpace: 256 * MEBIBYTE,
  output: 64 * MEBIBYTE,
  keep: MEBIBYTE,
}

export interface CommandResult {
  /** As a shell says it: 128 + n for signal n, 127 for a program that is not there. */
  readonly exit: number
  readonly stdout: Captured
  readonly stderr: Captured
  readonly durationMs: number
  /** The limit that ended the command, if one did. */
  readonly limit?: 'wallTime' | 'output'
  /** True when processes were left behind and had to be ended. */
  readonly leftovers: boolean
}

export interface Captured {
  /** UTF-8; bytes that are none become U+FFFD. Where the middle is missing, a line says so. */
  readonly text: string
  /** Size of all that was written. */
  readonly bytes: number
  readonly truncated: boolean
}

/** The sandbox could not be made or did not hold: never the command's own failure. */
export class SandboxError extends TaoError {
  constructor(message: string, fix?: string) {
    super('sandbox', message, fix === undefined ? {} : { fix })
  }
}

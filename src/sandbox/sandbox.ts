import { TaoError } from '../core/error.ts'
import type { AllowedHost } from './allow-list.ts'
import type { Unreached } from './unreached.ts'

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
  /** Ends what was started ahead; nothing is started ahead after it. Resolves when it is gone. */
  close(): Promise<void>
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
  /** Hosts that it may reach, through a proxy of Tao's; without a list there is no network at all. */
  readonly network?: readonly AllowedHost[]
  /** Nothing alike will follow, so nothing is started ahead for it. */
  readonly once?: boolean
}

/** What of the host a command may see and change. */
export interface View {
  /** Absolute host path, seen as /workspace. */
  readonly copy: string
  /** Paths below it that no command can change. */
  readonly protect: readonly string[]
}

/** What one command may use. Kernel limits hold at once; what is looked at from outside may be exceeded for that moment. */
export interface SandboxLimits {
  /** Milliseconds from the start of the command. */
  readonly wallTime: number
  /** Seconds of processor time, each process. */
  readonly cpuTime: number
  /** Processes and threads; the command is ended when they stay at it. */
  readonly processes: number
  /** Bytes of address space, each process. */
  readonly memory: number
  /** Bytes of memory, all processes and temporary space together; looked at every tenth of a second. */
  readonly totalMemory: number
  /** Bytes of one file. */
  readonly fileSize: number
  /** Bytes by which the working copy may grow; looked at every 50 ms. */
  readonly disk: number
  /** Files and folders that may be added to the working copy; looked at with `disk`. */
  readonly files: number
  /** Bytes of temporary space, in each of /tmp, /dev/shm and the home folder. */
  readonly tempSpace: number
  /** Bytes written to standard output and error together; the command is ended beyond. */
  readonly output: number
  /** Bytes kept of each of them: the first and the last half. */
  readonly keep: number
}

/** Limits at which Tao itself ends a command. The others are the kernel's: it refuses more, and the command goes on. */
export type EndingLimit = 'wallTime' | 'output' | 'totalMemory' | 'disk' | 'files' | 'processes'

const MEBIBYTE = 1 << 20

export const DEFAULT_SANDBOX_LIMITS: SandboxLimits = {
  wallTime: 120_000,
  cpuTime: 300,
  processes: 256,
  memory: 8192 * MEBIBYTE,
  totalMemory: 4096 * MEBIBYTE,
  fileSize: 512 * MEBIBYTE,
  disk: 2048 * MEBIBYTE,
  files: 500_000,
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
  readonly limit?: EndingLimit
  /** Limits that were seen used up, where the kernel does not tell the cause of a failure: likely causes, no proof. */
  readonly reached: readonly ('processes' | 'tempSpace')[]
  /** True when processes were left behind and had to be ended. */
  readonly leftovers: boolean
  /** Hosts that it asked for and did not get; absent when there are none. */
  readonly unreached?: readonly Unreached[]
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

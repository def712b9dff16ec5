import { DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './sandbox.ts'

/**
 * Why a command may have ended with this code, where a limit of its processes or a signal explains it. The kernel does not
 * say who sent a signal, so this is the likely reason, not a proof. Undefined for codes that are the command's own.
 */
export function describeExit(exit: number, limits: Partial<SandboxLimits> = {}): string | undefined {
  const { cpuTime, fileSize, memory } = { ...DEFAULT_SANDBOX_LIMITS, ...limits }
  switch (exit) {
    case 128 + 4:
      return 'ended by an illegal instruction (SIGILL)'
    case 128 + 6:
      return `aborted itself (SIGABRT); more than ${memory} bytes of address space are a common reason`
    case 128 + 9:
      return `killed (SIGKILL): by the command itself, for lack of memory, or after ${cpuTime} s of processor time`
    case 128 + 11:
      return `ended by a bad memory access (SIGSEGV); a process may have ${memory} bytes of address space`
    case 128 + 15:
      return 'ended by a request to stop (SIGTERM)'
    case 128 + 24:
      return `a process used more than ${cpuTime} s of processor time (SIGXCPU)`
    case 128 + 25:
      return `a file grew beyond ${fileSize} bytes (SIGXFSZ)`
    default:
      return undefined
  }
}

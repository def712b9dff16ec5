import { type CommandResult, DEFAULT_SANDBOX_LIMITS, type SandboxLimits } from './sandbox.ts'

/** Why a command ended as it did, where a limit or a signal had to do with it; undefined when it ended by itself. */
export function describeEnd(result: CommandResult, given: Partial<SandboxLimits> = {}): string | undefined {
  const limits = { ...DEFAULT_SANDBOX_LIMITS, ...given }
  if (result.limit !== undefined) return `ended by ${limitWords(limits)[result.limit]}`
  const likely = result.reached.map((limit) => `likely reached ${limitWords(limits)[limit]}`)
  const words = [describeExit(result.exit, limits), ...likely].filter((text) => text !== undefined)
  return words.length === 0 ? undefined : words.join('; ')
}

type Named = NonNullable<CommandResult['limit']> | CommandResult['reached'][number]

/** Each holds the name of its setting in a task file. */
const limitWords = (limits: SandboxLimits): Readonly<Record<Named, string>> => ({
  wallTime: `the time limit of ${limits.wallTime / 1000} s (wallTime): it had not finished`,
  output: `the output limit of ${inUnits(limits.output)} (output): it had not finished`,
  totalMemory: `the memory limit of ${inUnits(limits.totalMemory)} for all its processes and temporary files together (totalMemory)`,
  disk: `the disk limit (disk): the workspace grew by more than ${inUnits(limits.disk)}`,
  files: `the limit of files (files): more than ${limits.files} were added to the workspace`,
  processes: `the limit of ${limits.processes} processes and threads (processes)`,
  tempSpace: `the limit of ${inUnits(limits.tempSpace)} of temporary space in /tmp, /dev/shm or the home folder (tempSpace)`,
})

/**
 * Why a command may have ended with this code, where a limit of its processes or a signal explains it. The kernel does not
 * say who sent a signal, so this is the likely reason, not a proof. Undefined for codes that are the command's own.
 */
export function describeExit(exit: number, limits: Partial<SandboxLimits> = {}): string | undefined {
  const { cpuTime, fileSize, memory } = { ...DEFAULT_SANDBOX_LIMITS, ...limits }
  switch (exit) {
    case 128 + 4:
      return 'ended by an illegal instruction (SIGILL)'
    case 128 + 5:
      return `stopped itself (SIGTRAP); as Node does when ${inUnits(memory)} of address space (memory) are not enough`
    case 128 + 6:
      return `aborted itself (SIGABRT); more than ${inUnits(memory)} of address space (memory) are a common reason`
    case 128 + 9:
      return `killed (SIGKILL): by the command itself, for lack of memory, or after ${cpuTime} s of processor time (cpuTime)`
    case 128 + 11:
      return `ended by a bad memory access (SIGSEGV); a process may have ${inUnits(memory)} of address space (memory)`
    case 128 + 15:
      return 'ended by a request to stop (SIGTERM)'
    case 128 + 24:
      return `a process used more than ${cpuTime} s of processor time (cpuTime, SIGXCPU)`
    case 128 + 25:
      return `a file grew beyond ${inUnits(fileSize)} (fileSize, SIGXFSZ)`
    default:
      return undefined
  }
}

/** Bytes as people write them, as long as that is exact. Units are powers of 1024. */
function inUnits(bytes: number): string {
  const units = ['bytes', 'KB', 'MB', 'GB', 'TB']
  let [value, unit] = [bytes, 0]
  while (value > 0 && value % 1024 === 0 && unit < units.length - 1) [value, unit] = [value / 1024, unit + 1]
  return `${value} ${units[unit]}`
}

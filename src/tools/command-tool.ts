import type { StandardSchemaV1 } from '@standard-schema/spec'
import { tool } from './define.ts'
import type { Place } from './place.ts'
import type { Tool, ToolOptions } from './tool.ts'

/** A tool of a program's own that works in the sandbox of the run, on its working copy. */
export interface SandboxTool {
  readonly name: string
  readonly open: (place: Place) => Tool
}

export interface CommandToolOptions<S extends StandardSchemaV1>
  extends Omit<ToolOptions<S>, 'run' | 'fingerprint' | 'probe'> {
  /** The program and its arguments, for these arguments of the model. No shell reads them. */
  readonly command: (input: StandardSchemaV1.InferOutput<S>) => readonly string[]
}

/** For the sandbox to end what is left and to answer. */
const MARGIN_MS = 10_000
const TWO_MINUTES = 120_000

/**
 * Makes a tool out of a command that runs in the sandbox: the model chooses its arguments, never the command. Its result has
 * the exit code, and is ok when the command ran to its end. Throws what `tool` throws.
 */
export function commandTool<S extends StandardSchemaV1>(options: CommandToolOptions<S>): SandboxTool {
  const { command, timeLimit = TWO_MINUTES, ...rest } = options
  const open = (place: Place): Tool =>
    tool({
      ...rest,
      timeLimit: timeLimit + MARGIN_MS,
      run: async (input, { signal }) => {
        const limits = { ...place.limits, wallTime: timeLimit }
        const network = place.network === undefined ? {} : { network: place.network }
        const argv = command(input)
        const ended = await place.sandbox.run({ argv, view: place.view, limits, ...network }, signal)
        return (await import('./command-report.ts')).reportCommand(ended, limits)
      },
    })
  return { name: options.name, open }
}

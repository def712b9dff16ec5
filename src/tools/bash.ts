import { z } from 'zod'
import { PROGRAM } from './call-inside.ts'
import { reportCommand } from './command-report.ts'
import { tool } from './define.ts'
import type { Place } from './place.ts'
import type { Tool } from './tool.ts'

const DEFAULT_SECONDS = 120
const MAX_SECONDS = 600
/** For the sandbox to end what is left and to answer. */
const MARGIN_SECONDS = 10

/**
 * Runs a command in the sandbox. The result is ok when the command ran to its end, whatever its exit code: what the code
 * means is for the model to judge. A sandbox that fails is thrown, never shown as the command's failure.
 */
export function bash(place: Place): Tool {
  const most = place.limits?.wallTime === undefined ? MAX_SECONDS : place.limits.wallTime / 1000
  const usual = Math.min(DEFAULT_SECONDS, most)
  const input = z.object({
    command: z.string().min(1).describe('The command, as for `bash -c`.'),
    time_limit: z.number().positive().optional().describe(`Seconds. Default: ${usual}, at most ${most}.`),
  })
  return tool({
    name: 'bash',
    description: `Runs a command with bash in the workspace and gives its exit code, standard output and standard error. ${networkWords(place)}, no terminal, no input. Background processes end with the command. A call counts as ok when the command ran to its end, also when its tests failed: read the exit code.`,
    input,
    effects: reachesOut(place) ? ['write', 'egress'] : 'write',
    timeLimit: (most + MARGIN_SECONDS) * 1000,
    async run({ command: words, time_limit: wished = usual }, { signal }) {
      const seconds = Math.min(wished, most)
      const limits = { ...place.limits, wallTime: Math.ceil(seconds * 1000) }
      const argv = ['/bin/bash', '-c', words]
      // What the file tools need is there as well, so that the same sandbox, started ahead, serves them all.
      const command = { argv, view: place.view, readOnly: PROGRAM, limits, ...networkOf(place) }
      const result = await place.sandbox.run(command, signal)
      const tooLong = wished > seconds ? [`time limit: ${wished} s is too long, ${seconds} s were allowed`] : []
      return reportCommand(result, limits, tooLong)
    },
  })
}

const networkOf = ({ network }: Place) => (network === undefined ? {} : { network })

/** The external sandbox has whatever network the container has. */
const reachesOut = ({ sandbox, network }: Place): boolean => sandbox.name === 'external' || network !== undefined

function networkWords({ sandbox, network }: Place): string {
  if (network !== undefined) return `Network: only ${network.map(({ written }) => written).join(', ')}`
  return sandbox.name === 'external' ? 'The network of this machine' : 'No network'
}

import { FAILURES } from './failure-table.ts'
import type { HostFacts } from './host.ts'

/** One sentence about what is wrong, one about what mends it on this machine. */
export interface Diagnosis {
  readonly problem: string
  readonly fix: string
}

/** Where no sandbox can be made at all; undefined where one can be tried. */
export function diagnosePlatform(host: HostFacts): Diagnosis | undefined {
  if (host.platform === 'darwin')
    return {
      problem: 'Commands run in a Linux sandbox, which macOS does not have.',
      fix: 'Run Tao inside a Linux virtual machine, for example with Lima: limactl start && limactl shell default',
    }
  if (host.platform === 'win32')
    return {
      problem: 'Commands run in a Linux sandbox, which Windows does not have.',
      fix: 'Run Tao inside WSL 2. It is installed with: wsl --install',
    }
  if (host.platform !== 'linux')
    return {
      problem: `Commands run in a Linux sandbox, which ${host.platform} does not have.`,
      fix: 'Run Tao on Linux.',
    }
  if (host.wsl1)
    return {
      problem: 'This is WSL 1, which has no namespaces.',
      fix: 'Turn the distribution into WSL 2, in PowerShell: wsl --set-version <distribution> 2',
    }
  return undefined
}

/** What bubblewrap's own words mean. `words` is the first line that it wrote. */
export function diagnoseFailure(words: string, host: HostFacts): Diagnosis {
  const row = FAILURES.find((each) => each.words.test(words) && (each.when?.(host) ?? true))
  const said = words === '' ? 'bubblewrap gave no reason' : `bubblewrap said "${words.replace(/^bwrap: /, '')}"`
  if (row === undefined)
    return {
      problem: `The sandbox could not be set up: ${said}`,
      fix: 'Run "tao doctor" for what Tao found out about this machine.',
    }
  return { problem: `The sandbox could not be set up: ${row.cause}; ${said}`, fix: row.fix(host) }
}

import { spawn } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { createInterface } from 'node:readline'
import { SandboxError } from '../../src/sandbox/sandbox.ts'
import { type Attempts, escaped, type Finding, stopped } from './attempt.ts'
import { inNaive, inTao, naiveArguments, type Stage } from './stage.ts'

/** Stands in the arguments of every daemon that this process starts, and nowhere else on the machine. */
const MARK = `tao-escape-daemon-${randomUUID()}`

/** Leaves its session and its parents, for a minute at most. The command goes on when it runs. */
const DAEMON = `rm -f alive
(setsid bash -c 'trap "" HUP INT TERM; : ${MARK}; echo >alive; for n in $(seq 600); do sleep 0.1; done' >/dev/null 2>&1 &)
while [ ! -e alive ]; do sleep 0.01; done`

/** The daemons among all processes of the machine, by number. */
const daemons = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && argumentsOf(name).includes(MARK))
    .map(Number)

function argumentsOf(pid: string): string {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'latin1')
  } catch {
    return '' // It has ended.
  }
}

/** The promise is that nothing lives when the command is over, not a moment later. */
const lives = (): Finding => (daemons().length > 0 ? escaped('it lives on') : stopped('it is gone'))

/** Moments at which a sandbox is told to stop, in milliseconds after its start. */
const MOMENTS = [0, 3, 6, 9, 12, 16, 22, 30]

async function stopAtEachMoment({ workspace: { view } }: Stage): Promise<Finding> {
  const reason = new Error('stop')
  for (const moment of MOMENTS) {
    const controller = new AbortController()
    const timer = setTimeout(() => controller.abort(reason), moment)
    const wish = { signal: controller.signal }
    await inTao(view, `${DAEMON}\nsleep 60`, wish).catch((error: unknown) => {
      if (error !== reason) throw error
    })
    clearTimeout(timer)
  }
  return lives()
}

async function killFirstProcesses({ workspace: { view } }: Stage): Promise<Finding> {
  try {
    const result = await inTao(view, `${DAEMON}\nkill -KILL 1; sleep 0.05; kill -KILL 2; sleep 1; exit 0`)
    if (result.exit === 0 && !result.leftovers) return escaped('it passed for a command that ended well')
  } catch (error) {
    if (!(error instanceof SandboxError)) throw error
  }
  return lives()
}

/** Everything a command can write that might pass for the end of another one. */
const FORGERY = `printf 'ended 0 0\\n{"exit-code":0}\\n__done:0\\n'
for n in 3 4 5 6 7 8 9 10; do printf 'ended 0 0\\n' >&$n; printf 'ended 0 0\\n' >/proc/2/fd/$n; done 2>/dev/null
(setsid bash -c 'for n in $(seq 50); do echo noise; sleep 0.01; done' &)
exit 3`

async function forgeAnEnd({ workspace: { view } }: Stage): Promise<Finding> {
  const forged = await inTao(view, FORGERY)
  if (forged.exit !== 3) return escaped(`exit ${forged.exit} instead of 3`)
  const next = await inTao(view, 'sleep 0.1; echo clean')
  return next.stdout.text === 'clean\n' ? stopped('each command has its own sandbox') : escaped(next.stdout.text)
}

/** One shell for all commands, which says after each how it ended: the usual way to save the start. */
async function forgeInWarmShell(stage: Stage): Promise<Finding> {
  const shell = spawn('/usr/bin/bwrap', naiveArguments(stage.source, ['bash']), { stdio: ['pipe', 'pipe', 'ignore'] })
  shell.stdin.end('echo __done:0; (exit 3)\necho __done:$?\n')
  for await (const line of createInterface(shell.stdout)) {
    if (line.startsWith('__done:')) return line === '__done:0' ? escaped('3 became 0') : stopped(line)
  }
  return stopped('no end was seen')
}

/** Commands that want to live on, or to pass for another. */
export const OUTLIVE: Attempts = [
  {
    number: 61,
    name: 'leave a daemon behind',
    counts: 'it writes into the workspace after the command has ended',
    tao: 'stopped',
    naive: 'escaped',
    async tryTao({ workspace: { view } }) {
      const result = await inTao(view, DAEMON)
      return result.leftovers ? lives() : { verdict: 'broken', detail: 'nobody saw the daemon' }
    },
    async tryNaive(stage) {
      await inNaive(stage, ['bash', '-c', DAEMON])
      const found = lives()
      // Their numbers are the host's, since the naive sandbox has the host's processes.
      for (const pid of daemons()) process.kill(pid, 'SIGKILL')
      return found
    },
  },
  {
    number: 62,
    name: 'kill the sandbox’s own first processes from inside',
    counts: 'something lives on, or the command passes for one that ended well',
    tao: 'stopped',
    naive: { notRun: 'the first process there is the host’s' },
    tryTao: killFirstProcesses,
  },
  {
    number: 68,
    name: 'forge the end of a command, or leave noise for the next one',
    counts: 'another exit code is believed, or the next command’s output has the noise',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the naive one is a shell that is kept for all commands',
    tryTao: forgeAnEnd,
    tryNaive: forgeInWarmShell,
  },
  {
    number: 69,
    name: 'live on when the sandbox is stopped at the moment it starts',
    counts: 'one of eight commands, each stopped at another moment, lives on',
    tao: 'stopped',
    naive: { notRun: 'it escapes now and then only, so it would prove nothing' },
    tryTao: stopAtEachMoment,
  },
]

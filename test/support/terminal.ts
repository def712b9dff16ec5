import { execFile } from 'node:child_process'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as wait } from 'node:timers/promises'
import { promisify } from 'node:util'

const LONGEST_WAIT_MS = 120_000
/** Each look is a process. */
const LOOK_MS = 150
const execute = promisify(execFile)

/** A command in a real terminal, as tmux makes one: 100 columns, 30 lines, and all that has scrolled away kept. */
export interface Terminal extends AsyncDisposable {
  /** Everything that was shown, lines that were wrapped joined again. */
  shown(): Promise<string>
  /** Resolves to everything that was shown once the pattern is in it. */
  until(pattern: RegExp): Promise<string>
  /** Types a text as it is. */
  type(text: string): Promise<void>
  /** Presses keys by tmux's names, such as `Enter` or `C-c`. */
  press(...keys: readonly string[]): Promise<void>
}

export interface TerminalCommand {
  readonly program: string
  readonly args: readonly string[]
  readonly cwd: string
  readonly env: Readonly<Record<string, string>>
}

/** After the command has ended the terminal shows `exit CODE`. */
export async function openTerminal({ program, args, cwd, env }: TerminalCommand): Promise<Terminal> {
  const place = await mkdtemp(join(tmpdir(), 'tao-terminal-'))
  const tmux = (...given: readonly string[]) =>
    execute('tmux', ['-S', join(place, 'socket'), '-f', '/dev/null', ...given], {
      env: { PATH: process.env.PATH ?? '', LC_ALL: 'C.UTF-8', TERM: 'xterm-256color' },
    })
  const line = `${[program, ...args].map(quoted).join(' ')}; echo "exit $?"; exec sleep 600`
  const given = Object.entries({ ...env, LC_ALL: 'C.UTF-8' }).map(([name, value]) => `${name}=${value}`)
  const start = ['start-server', ';', 'set-option', '-g', 'history-limit', '20000', ';', 'new-session', '-d']
  await tmux(...start, '-x', '100', '-y', '30', '-c', cwd, 'env', ...given, 'sh', '-c', line)
  const shown = async (): Promise<string> => (await tmux('capture-pane', '-p', '-J', '-S', '-')).stdout
  return {
    shown,
    async until(pattern) {
      const began = performance.now()
      for (;;) {
        const text = await shown()
        if (pattern.test(text)) return text
        if (performance.now() - began > LONGEST_WAIT_MS)
          throw new Error(`The terminal never showed ${pattern}:\n${text}`)
        await wait(LOOK_MS)
      }
    },
    type: async (text) => void (await tmux('send-keys', '-l', text)),
    press: async (...keys) => void (await tmux('send-keys', ...keys)),
    async [Symbol.asyncDispose]() {
      await tmux('kill-server') // The one behind our own socket.
      await rm(place, { recursive: true, force: true })
    },
  }
}

const quoted = (text: string): string => `'${text.replaceAll("'", "'\\''")}'`

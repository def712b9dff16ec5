import { spawn } from 'node:child_process'
import { chownSync, cpSync, linkSync, mkdirSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import type { Command, CommandResult, View } from '../../src/sandbox/sandbox.ts'
import { sandboxUser } from '../../src/sandbox/user.ts'
import { makeWorkspace } from '../../src/sandbox/working-copy.ts'
import type { Workspace } from '../../src/sandbox/workspace.ts'
import { type Answering, layBait } from './bait.ts'

const PROTECTED = ['a/b/tests', 'settings.json']
/** Tao adds these itself where there is a folder of git; the naive sandbox is told. */
const GIT = ['.git/config', '.git/hooks']

/** The tree that attempts are made on, without the two files that have a second name. */
const TREE: Readonly<Record<string, string>> = {
  'a/b/tests/t.py': 'good\n',
  'settings.json': '{"good": true}\n',
  'src/code.py': 'code\n',
  '.git/HEAD': 'ref: refs/heads/main\n',
  '.git/config': '[core]\n',
  '.git/hooks/README': 'none\n',
}

/** A tree, its working copy, and a host around them that answers. One for Tao, one for the naive sandbox. */
export interface Stage extends AsyncDisposable {
  readonly folder: string
  readonly secret: string
  /** The tree itself, which the naive sandbox works on. */
  readonly source: string
  readonly workspace: Workspace
  readonly host: Answering
  /** Files with the secret: beside the working copy, and beside the tree. */
  readonly outside: { readonly tao: string; readonly naive: string }
  /** A working copy of another tree with these files. */
  another(name: string, files: Readonly<Record<string, string>>): Promise<Workspace>
}

export interface StageOptions {
  /** Exists, and is the user's own. */
  readonly folder: string
  readonly secret: string
  readonly sharedMemory: number
}

export async function openStage({ folder, secret, sharedMemory }: StageOptions): Promise<Stage> {
  const user = sandboxUser()
  // As root everything belongs to the user that commands run as, so that only the sandbox stands in the way.
  const own = (path: string) => chownSync(path, user.uid, user.gid)
  const write = (path: string, words: string) => {
    for (
      let above = dirname(path);
      mkdirSync(dirname(path), { recursive: true }) !== undefined;
      above = dirname(above)
    ) {}
    writeFileSync(path, words)
    for (let part = path; part !== folder; part = dirname(part)) own(part)
  }
  const source = join(folder, 'source')
  for (const [path, words] of Object.entries(TREE)) write(join(source, path), words)
  write(join(folder, 'store/part.js'), 'part\n')
  write(join(source, 'vendor/README'), 'vendor\n')
  linkSync(join(folder, 'store/part.js'), join(source, 'vendor/part.js'))
  linkSync(join(source, 'a/b/tests/t.py'), join(source, 'src/alias.py'))
  mkdirSync(join(source, '.escape'))
  own(join(source, '.escape'))
  cpSync(join(import.meta.dirname, 'driver.py'), join(source, '.escape/driver.py'))
  const workspace = await makeWorkspace({ source, place: join(folder, 'place'), protect: PROTECTED })
  const outside = { tao: join(folder, 'place/outside.txt'), naive: join(folder, 'outside.txt') }
  for (const path of Object.values(outside)) write(path, secret)
  write(join(folder, 'home/.ssh/id_ed25519'), secret)
  const host = await layBait({ folder, secret, sharedMemory, user })
  for (const tree of [source, workspace.view.copy]) await host.listenAt(join(tree, 'listen.sock'))
  return {
    ...{ folder, secret, source, workspace, host, outside },
    another(name, files) {
      for (const [path, words] of Object.entries(files)) write(join(folder, name, 'source', path), words)
      return makeWorkspace({ source: join(folder, name, 'source'), place: join(folder, name, 'place'), protect: [] })
    },
    [Symbol.asyncDispose]: () => host[Symbol.asyncDispose](),
  }
}

/** A shell script in Tao's sandbox. */
export function inTao(
  view: View,
  script: string,
  more: Partial<Command> & { readonly signal?: AbortSignal } = {},
): Promise<CommandResult> {
  const { signal = new AbortController().signal, ...command } = more
  return bubblewrap().run({ argv: ['bash', '-c', script], view, ...command }, signal)
}

/** What many people write first: everything can be read, the workspace can be written, and the environment is passed on. */
export function naiveArguments(copy: string, argv: readonly string[]): string[] {
  const readOnly = [...PROTECTED, ...GIT].flatMap((path) => ['--ro-bind', join(copy, path), join(copy, path)])
  const mounts = ['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc', '--bind', copy, copy, ...readOnly]
  return [...mounts, '--chdir', copy, '--', ...argv]
}

/** Resolves to what was written to standard output. */
export async function inNaive(stage: Stage, argv: readonly string[]): Promise<string> {
  const child = spawn('/usr/bin/bwrap', naiveArguments(stage.source, argv), { stdio: ['inherit', 'pipe', 'inherit'] })
  return text(child.stdout)
}

import { spawnSync } from 'node:child_process'
import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { TaoError } from '../../src/core/error.ts'
import { applyChanges } from '../../src/sandbox/apply.ts'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { unifiedDiff } from '../../src/sandbox/diff.ts'
import type { View } from '../../src/sandbox/sandbox.ts'
import { callInside } from '../../src/tools/call-inside.ts'
import { type Attempts, escaped, type Finding, stopped } from './attempt.ts'
import { inNaive, inTao, type Stage } from './stage.ts'

const place = (view: View) => ({ sandbox: bubblewrap(), view })
const never = new AbortController().signal
const read = (view: View, path: string) =>
  callInside(
    place(view),
    { operation: 'read', path, fromLine: 1, fromColumn: 1, lines: 50, maxCharacters: 10_000 },
    never,
  )

/** A repository in a folder below, whose hooks and settings leave a mark on the host when git is run there. */
const plantRepository = (mark: string) => `git init -q sub
for hook in pre-commit post-checkout post-index-change; do printf '#!/bin/sh\\ntouch ${mark}\\n' >sub/.git/hooks/$hook; done
chmod +x sub/.git/hooks/*
for key in core.fsmonitor core.pager diff.external filter.planted.clean; do git -C sub config $key 'touch ${mark}; :'; done
echo '* filter=planted' >sub/.gitattributes; echo text >sub/file`

/** All that Tao does with a working copy on the host, from looking at it to delivering it. */
async function handle(stage: Stage, name: string, script: string): Promise<'handled' | TaoError> {
  const workspace = await stage.another(name, { 'a.txt': 'a\n' })
  await inTao(workspace.view, script)
  try {
    await workspace.changes()
    await workspace.treeHash()
    await workspace.disturbed()
    await unifiedDiff(workspace)
    await using _clean = await workspace.cleanCopy()
    await applyChanges(workspace)
    return 'handled'
  } catch (error) {
    if (error instanceof TaoError) return error
    throw error
  }
}

async function plantForTao(stage: Stage, name: string): Promise<Finding> {
  const mark = join(stage.folder, `${name}-ran`)
  const result = await handle(stage, name, plantRepository(mark))
  if (existsSync(mark)) return escaped('a planted program ran on the host')
  return result === 'handled' ? stopped('no git on the host') : { verdict: 'broken', detail: result.message }
}

async function plantForNaive(stage: Stage, git: readonly string[]): Promise<Finding> {
  const mark = join(stage.folder, `${git[0]}-ran`)
  await inNaive(stage, ['bash', '-c', `rm -rf sub; ${plantRepository(mark)}`])
  const person = ['-c', 'user.name=n', '-c', 'user.email=n@localhost', '-c', 'safe.directory=*']
  const alone = { PATH: '/usr/bin:/bin', HOME: stage.folder, GIT_CONFIG_NOSYSTEM: '1' }
  spawnSync('git', ['-C', join(stage.source, 'sub'), ...person, ...git], {
    env: alone,
    stdio: 'ignore',
    timeout: 20_000,
  })
  return existsSync(mark) ? escaped('a planted program ran on the host') : stopped('it did not run')
}

/** Exchanges a folder for a link to the host's, again and again, until it is told to stop. */
const swapper = (outside: string) => `
import ctypes, os
libc = ctypes.CDLL(None)
os.makedirs('real', exist_ok=True)
with open('real/outside.txt', 'w') as file: file.write('inside')
if not os.path.lexists('link'): os.symlink(${JSON.stringify(outside)}, 'link')
open('swapping', 'w').close()
for n in range(3_000_000):
    libc.renameat2(-100, b'real', -100, b'link', 2)
    if n % 500 == 0 and os.path.exists('enough'): break
`
const ROUNDS = 2
/** Milliseconds: far more than the first leak needs. */
const LONGEST_SWAP = 10_000

async function until(path: string): Promise<void> {
  for (let n = 0; n < 1_000 && !existsSync(path); n++) await new Promise((resolve) => setTimeout(resolve, 5))
}

/** What a model would be shown, of a tool that broke as well. */
const said = (answer: Promise<unknown>): Promise<string> => answer.then((value) => JSON.stringify(value), String)

async function swapForTao({ workspace: { view }, outside, folder, secret }: Stage): Promise<Finding> {
  const argv = ['/usr/bin/python3', '-c', swapper(join(folder, 'place'))]
  const swapping = inTao(view, '', { argv, limits: { wallTime: 30_000 } })
  await until(join(view.copy, 'swapping'))
  const seen: string[] = []
  const path = 'real/outside.txt'
  const text = 'inside'
  try {
    for (let n = 0; n < ROUNDS; n++) {
      seen.push(await said(read(view, path)))
      const edit = { operation: 'edit', path, oldText: text, newText: text, replaceAll: true } as const
      seen.push(await said(callInside(place(view), edit, never)))
      seen.push(await said(callInside(place(view), { operation: 'write', path, text }, never)))
    }
  } finally {
    writeFileSync(join(view.copy, 'enough'), '')
    await swapping
  }
  if (seen.some((answer) => answer.includes(secret))) return escaped('read')
  return readFileSync(outside.tao, 'utf8') === secret ? stopped(`${seen.length} tool calls`) : escaped('written')
}

async function swapForNaive(stage: Stage): Promise<Finding> {
  const swapping = inNaive(stage, ['/usr/bin/python3', '-c', swapper(stage.folder)])
  await until(join(stage.source, 'swapping'))
  let reads = 0
  let leaked = false
  for (const end = performance.now() + LONGEST_SWAP; !leaked && performance.now() < end; reads++)
    try {
      leaked = readFileSync(join(stage.source, 'real/outside.txt'), 'utf8') === stage.secret
    } catch {
      // The link was there when the path was walked, and gone when the file was opened.
    }
  writeFileSync(join(stage.source, 'enough'), '')
  await swapping
  return leaked ? escaped(`after ${reads} reads`) : stopped('no leak')
}

const STRANGE = `mkfifo pipe; ln -s /dev/zero zero; ln -s /proc/self/environ keys; ln -s /proc/1/environ first
truncate -s 64M sparse; mkdir folder`

async function readStrangeFiles({ workspace: { view }, secret }: Stage): Promise<Finding> {
  await inTao(view, STRANGE)
  for (const path of ['pipe', 'zero', 'keys', 'first', 'sparse', 'folder']) {
    const answer = await read(view, path)
    if (JSON.stringify(answer).includes(secret)) return escaped(`${path} gave the secret`)
    const isText = answer.ok && answer.value.text !== ''
    if (isText && path !== 'keys' && path !== 'first') return escaped(`${path} was read`)
  }
  return stopped('each was refused, or showed the sandbox’s own')
}

async function nestDeeply(stage: Stage): Promise<Finding> {
  const nest = `/usr/bin/python3 -c "
import os
for n in range(3000): os.mkdir('d'); os.chdir('d')
open('bottom', 'w').close()"`
  const result = await handle(stage, 'deep', nest)
  return stopped(result === 'handled' ? 'handled' : `refused: ${result.message.slice(0, 60)}`)
}

/** The copy is made in a process of its own: it takes that down. */
async function nestForNaive(stage: Stage): Promise<Finding> {
  const copy = `const fs = require('node:fs'); process.chdir(${JSON.stringify(stage.source)}); fs.mkdirSync('deep')
for (let n = 0; n < 3000; n++) { process.chdir('deep'); fs.mkdirSync('deep') }
process.chdir(${JSON.stringify(stage.source)})
try { fs.cpSync('deep', 'copy', { recursive: true }) } catch {}`
  const { signal, status } = spawnSync(process.execPath, ['-e', copy], { stdio: 'ignore', timeout: 30_000 })
  return signal === null ? stopped(`exit ${status}`) : escaped(signal)
}

/** What a command leaves for the harness, which then works on it outside. */
export const FOOL_THE_HARNESS: Attempts = [
  {
    number: 55,
    name: 'make a repository with hooks in a folder below, and wait for git on the host',
    counts: 'a hook runs on the host while Tao looks at the copy, compares it and delivers it',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'by design: nobody runs git on the host; the naive harness commits there',
    tryTao: (stage) => plantForTao(stage, 'hooks'),
    tryNaive: (stage) => plantForNaive(stage, ['commit', '--allow-empty', '-m', 'x']),
  },
  {
    number: 59,
    name: 'write many files',
    counts: 'more is written than the limit of the working copy',
    tao: 'stopped',
    naive: { notRun: 'it would fill the machine’s disk' },
    async tryTao({ workspace: { view } }) {
      const script = 'mkdir many; for n in $(seq 100000); do echo >many/$n; done'
      const { limit } = await inTao(view, script, { limits: { files: 2_000 } })
      await inTao(view, 'rm -r many')
      return limit === 'files' ? stopped('ended at the limit of files') : escaped(`limit: ${limit}`)
    },
  },
  {
    number: 64,
    name: 'exchange a folder for a link while file tools read, edit and write in it',
    counts: 'a tool shows or changes a file of the host',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'tools work in the sandbox; the naive harness reads on the host',
    tryTao: swapForTao,
    tryNaive: swapForNaive,
  },
  {
    number: 65,
    name: 'leave a pipe, a device link, a sparse file or a link into /proc for the read tool',
    counts: 'the tool hangs, reads without end, or shows a key of the harness',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the naive harness reads the link into /proc on the host',
    tryTao: readStrangeFiles,
    async tryNaive(stage) {
      const { source, secret } = stage
      await inNaive(stage, ['bash', '-c', 'ln -s /proc/self/environ keys'])
      return readFileSync(join(source, 'keys'), 'utf8').includes(secret) ? escaped('its own key') : stopped('no key')
    },
  },
  {
    number: 66,
    name: 'plant settings of git, and wait for git on the host',
    counts: 'a planted program runs on the host while Tao looks at the copy, compares it and delivers it',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the naive harness asks git for the status',
    tryTao: (stage) => plantForTao(stage, 'settings'),
    tryNaive: (stage) => plantForNaive(stage, ['status']),
  },
  {
    number: 67,
    name: 'nest folders so deep that the harness crashes',
    counts: 'the harness ends',
    tao: 'stopped',
    naive: 'escaped',
    remark: 'the naive harness copies with Node’s cpSync',
    tryTao: nestDeeply,
    tryNaive: nestForNaive,
  },
]

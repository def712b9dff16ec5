import { spawn } from 'node:child_process'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { TaoError } from '../core/error.ts'

/** Lets a person change a text in their editor, which may be a command with arguments. Rejects with a `TaoError` when it fails. */
export async function editText(text: string, editor: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), 'tao-edit-'))
  try {
    const file = join(folder, 'arguments.json')
    await writeFile(file, text)
    await runEditor(editor, file)
    return await readFile(file, 'utf8')
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

function runEditor(editor: string, file: string): Promise<void> {
  return new Promise((resolve, reject) => {
    const fail = (why: string) => reject(new TaoError('editor', `The editor "${editor}" ${why}.`))
    const child = spawn('sh', ['-c', `${editor} "$1"`, 'sh', file], { stdio: 'inherit' })
    child.once('error', ({ message }) => fail(`could not be started: ${message}`))
    child.once('close', (code) => (code === 0 ? resolve() : fail(`ended with ${code ?? 'a signal'}`)))
  })
}

import { basename, resolve } from 'node:path'
import { TaoError } from '../core/error.ts'
import type { UserWords } from '../core/words.ts'
import { type FileKind, readTextFile } from './yaml-file.ts'

const ATTACHMENT: FileKind = {
  code: 'attachment',
  name: 'file to attach',
  ifMissing: 'Check the path.',
  example: 'letter.txt',
}

/** What a model is shown of all that is attached, in characters; more would leave little room for anything else. */
const MOST_CHARACTERS = 256 * 1024
const STANDARD_INPUT = '-'

/**
 * Reads what the user gives beside the task: files, relative to `folder`, and with `-` what comes on standard input. Rejects
 * with a `TaoError` for what is no text, and for more than a model can be shown.
 */
export async function readAttachments(paths: readonly string[], folder: string): Promise<UserWords[]> {
  const words: UserWords[] = []
  for (const path of paths) words.push(path === STANDARD_INPUT ? await readPasted() : await readAttached(path, folder))
  const characters = words.reduce((sum, { text }) => sum + text.length, 0)
  if (characters > MOST_CHARACTERS) throw tooMuch(characters)
  return words
}

const readAttached = async (path: string, folder: string): Promise<UserWords> => ({
  kind: 'attached',
  name: basename(path),
  text: await readTextFile(resolve(folder, path), path, ATTACHMENT),
})

async function readPasted(): Promise<UserWords> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of process.stdin) {
    pieces.push(Buffer.from(piece))
    bytes += piece.length
    if (bytes > 4 * MOST_CHARACTERS) throw tooMuch(bytes)
  }
  try {
    return { kind: 'pasted', text: new TextDecoder('utf-8', { fatal: true }).decode(Buffer.concat(pieces)) }
  } catch {
    throw new TaoError('attachment', 'Standard input is not UTF-8 text.', { fix: 'Attach a text.' })
  }
}

const tooMuch = (characters: number): TaoError =>
  new TaoError('attachment', `${characters} characters are attached; ${MOST_CHARACTERS} can be.`, {
    fix: 'Put the files into a folder and give it with --workspace: then the model reads of them what it needs.',
  })

import { execFile } from 'node:child_process'
import { TaoError } from '../core/error.ts'

/**
 * Removes a folder that somebody else has filled: it may be nested deeper than any path is long, and hold folders that
 * forbid everything. The system's own programs walk such trees without following links.
 */
export async function removeTree(path: string): Promise<void> {
  if ((await runTool('/bin/rm', ['-rf', '--', path])) === undefined) return
  await runTool('/bin/chmod', ['-R', 'u+rwx', '--', path])
  const problem = await runTool('/bin/rm', ['-rf', '--', path])
  if (problem !== undefined) throw new TaoError('workspace', `${path} could not be removed: ${problem}`)
}

/** Resolves to what went wrong. */
function runTool(program: string, argv: readonly string[]): Promise<string | undefined> {
  return new Promise((resolve) => {
    execFile(program, argv, { env: {}, timeout: 60_000, maxBuffer: 1 << 20 }, (error, _stdout, stderr) =>
      resolve(error === null ? undefined : stderr.trim().split('\n')[0] || error.message),
    )
  })
}

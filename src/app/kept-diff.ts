import { readFile, rename, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Masker } from '../core/secrets.ts'
import type { Workspace } from '../sandbox/workspace.ts'

/**
 * Keeps what a run changed beside its working copy: once the changes are applied, or the folder was changed meanwhile,
 * nobody else knows what stood there before. Never rejects: without it the diff is made anew when it is asked for.
 */
export async function keepDiff(workspace: Workspace, masker?: Masker): Promise<void> {
  try {
    const path = await pathFor(workspace)
    await writeFile(`${path}.part`, await makeDiff(workspace, masker), { mode: 0o600 })
    await rename(`${path}.part`, path)
  } catch {
    // Said when somebody asks for the diff.
  }
}

/** What a run changed, as `git diff` writes it but for secrets: as it was kept, unless the working copy is another one by now. */
export async function diffOf(workspace: Workspace, masker?: Masker): Promise<string> {
  try {
    return await readFile(await pathFor(workspace), 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return makeDiff(workspace, masker)
    throw error
  }
}

/** Where no command can write. The name says of which tree it is. */
const pathFor = async (workspace: Workspace): Promise<string> =>
  join(dirname(workspace.record.copy), `${await workspace.treeHash()}.diff`)

/** Comparing lines takes a library that most runs do not need. */
async function makeDiff(workspace: Workspace, masker: Masker | undefined): Promise<string> {
  const diff = await (await import('../sandbox/diff.ts')).unifiedDiff(workspace)
  return masker?.mask(diff) ?? diff
}

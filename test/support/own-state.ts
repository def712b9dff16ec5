import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, type TestContext } from 'node:test'

/** Gives the tests of one file, which is a process of its own, a state directory of theirs. Resolves to the folder it is in. */
export async function ownState(name: string): Promise<string> {
  const folder = await mkdtemp(join(tmpdir(), `tao-${name}-`))
  await chmod(folder, 0o711)
  process.env.TAO_HOME = join(folder, 'state')
  after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

/** Sets variables for one test. */
export function environment(context: TestContext, variables: Readonly<Record<string, string | undefined>>): void {
  for (const [name, value] of Object.entries(variables)) process.env[name] = value
  context.after(() => {
    for (const name of Object.keys(variables)) delete process.env[name]
  })
}

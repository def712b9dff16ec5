import type { Overrides } from '../app/task-request.ts'
import { TaoError } from '../core/error.ts'
import type { RunFlags } from './flags.ts'

type Rights = Pick<Overrides, 'permission' | 'attached'>

/** On whose behalf a run happens, what its policy is filled with, and what the user gives beside the task. */
export async function wordsAndRights({ client, bind = [], policy, attach = [] }: RunFlags): Promise<Rights> {
  const folder = process.cwd()
  const permission = {
    ...(client === undefined ? {} : { client: expectClient(client) }),
    ...(bind.length === 0 ? {} : { session: sessionIn(bind) }),
    ...(policy === undefined ? {} : { policy: await policyIn(folder, policy) }),
  }
  return {
    ...(Object.keys(permission).length === 0 ? {} : { permission }),
    ...(attach.length === 0
      ? {}
      : { attached: await (await import('../app/attachments.ts')).readAttachments(attach, folder) }),
  }
}

/** A file is named by where the command is called, also beside a task file that lies elsewhere. */
export const policyIn = async (folder: string, policy: string): Promise<string> =>
  (await import('../app/policy-file.ts')).policyNamedIn(folder, policy)

function expectClient(client: string): string {
  if (client.trim() !== '') return client
  throw new TaoError('usage', 'The client has no name.', { fix: 'Say on whose behalf: --client 4711' })
}

/** The others come from the run itself. */
const BINDABLE: readonly string[] = ['account', 'tenant', 'user']

function sessionIn(bound: readonly string[]): Record<string, string> {
  return Object.fromEntries(
    bound.map((each) => {
      const at = each.indexOf('=')
      const [name, value] = [each.slice(0, at), each.slice(at + 1)]
      if (at < 1 || value === '')
        throw new TaoError('usage', `"${each}" binds nothing.`, { fix: 'Write it like --bind account=KZ86125' })
      if (BINDABLE.includes(name)) return [name, value]
      throw new TaoError('usage', `A session has no "${name}" that could be bound.`, {
        fix: `These can: ${BINDABLE.join(', ')}. The client is set by --client, the workspace by --workspace.`,
      })
    }),
  )
}

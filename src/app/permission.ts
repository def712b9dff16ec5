import { TaoError } from '../core/error.ts'
import type { WorkspaceRecord } from '../core/workspace-record.ts'
import type { Journal } from '../journal/journal.ts'
import { loadPolicy } from '../policy/load.ts'
import type { Policy } from '../policy/schema.ts'
import type { Permission } from '../run/run.ts'
import { WORKSPACE } from '../sandbox/profile.ts'
import { otherRunsIn } from './other-runs.ts'
import { LOCAL_CLIENT, type PermissionChoice } from './permission-choice.ts'
import { readPolicy } from './policy-file.ts'

interface Place {
  /** What the path of a policy is relative to. Default: where the process is. */
  readonly folder?: string
  readonly workspace?: WorkspaceRecord
  /** Whether tools see the working copy where it lies on this machine. */
  readonly isExternal: boolean
  readonly run: string
  /** Where the client's other runs are on record. Default: nowhere, so what was used up today is not known. */
  readonly journal?: Journal
}

/** Reads the policy and puts the session together. Throws a `TaoError` for a policy that cannot be used. */
export async function openPermission(
  { client = LOCAL_CLIENT, policy, session = {}, known }: PermissionChoice,
  { folder = process.cwd(), workspace, isExternal, run, journal }: Place,
): Promise<Permission> {
  if (policy === undefined) throw withoutPolicy()
  const read: Policy = typeof policy === 'string' ? await readPolicy(policy, folder) : loadPolicy(policy)
  const seen = workspace === undefined ? {} : { workspace: isExternal ? workspace.copy : WORKSPACE }
  return {
    policy: read,
    session: { ...seen, ...session, client },
    ...(known === undefined ? {} : { known }),
    ...(journal === undefined ? {} : { otherRuns: otherRunsIn(journal, { client, run }) }),
  }
}

const withoutPolicy = (): TaoError =>
  new TaoError('policy', 'There are values for a session, but no policy that binds them.', {
    fix: 'Name a policy too: --policy bank, or "policy: bank" in the task file.',
  })

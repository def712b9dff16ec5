import type { Json } from '../core/json.ts'

/** Who may do what. All of it comes from whoever starts the run, nothing from the model. */
export interface PermissionChoice {
  /** On whose behalf. Default: `local`. */
  readonly client?: string
  /** One that ships with Tao, by name, the path of a file, or the policy itself. Default: tools do what they can. */
  readonly policy?: string | object
  /** What arguments that a policy binds are filled with, beside `client` and `workspace`: account, tenant, user. */
  readonly session?: Readonly<Record<string, Json>>
  /** Lists that a policy names, such as the payees of the client. */
  readonly known?: Readonly<Record<string, readonly Json[]>>
}

export const LOCAL_CLIENT = 'local'

import { userInfo } from 'node:os'

/** Who answers, as the system knows them. */
export function userName(): string {
  try {
    return userInfo().username
  } catch {
    return `user ${process.geteuid?.() ?? 'unknown'}` // In a container a user may have no name.
  }
}

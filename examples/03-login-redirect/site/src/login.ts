import type { Answer } from './answer.ts'
import type { Session } from './session.ts'

/** The login entry: whoever is not known yet logs in first. Where they wanted to go is kept for afterwards. */
export function startLogin(session: Session, path: string): Answer {
  session.set('returnTo', path)
  return { goTo: '/login' }
}

import type { Answer } from './answer.ts'
import type { Session } from './session.ts'

/** Where the login comes back to: from now on the visitor is known, and goes on to where they wanted to go. */
export function finishLogin(session: Session, user: string): Answer {
  session.set('user', user)
  const path = session.get('redirectTo') ?? '/'
  session.delete('redirectTo')
  return { goTo: path }
}

import { randomUUID } from 'node:crypto'

/** What one visitor's browser is remembered by. */
export type Session = Map<string, string>

const NAME = 'session'

/** The sessions of all visitors, by the id in their cookie. */
export class Sessions {
  readonly #open = new Map<string, Session>()

  /** The session that a cookie names, or a new one and the cookie that names it. */
  find(cookies = ''): { readonly session: Session; readonly cookie?: string } {
    const id = new RegExp(`(?:^|; )${NAME}=([\\w-]+)`).exec(cookies)?.[1] ?? ''
    const known = this.#open.get(id)
    if (known !== undefined) return { session: known }
    const [fresh, session] = [randomUUID(), new Map<string, string>()]
    this.#open.set(fresh, session)
    return { session, cookie: `${NAME}=${fresh}; HttpOnly; SameSite=Lax; Path=/` }
  }
}

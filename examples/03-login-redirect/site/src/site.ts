import { createServer, type Server } from 'node:http'
import type { Answer } from './answer.ts'
import { finishLogin } from './callback.ts'
import { startLogin } from './login.ts'
import { type Session, Sessions } from './session.ts'

/** The site: an open front page, a login, and settings for those who have logged in. */
export function createSite(): Server {
  const sessions = new Sessions()
  return createServer((request, response) => {
    const { session, cookie } = sessions.find(request.headers.cookie)
    const answer = answerTo(new URL(request.url ?? '/', 'http://site.example'), session)
    if (cookie !== undefined) response.setHeader('set-cookie', cookie)
    if ('goTo' in answer) response.writeHead(303, { location: answer.goTo }).end()
    else response.writeHead(200, { 'content-type': 'text/plain; charset=utf-8' }).end(answer.text)
  })
}

function answerTo({ pathname, searchParams }: URL, session: Session): Answer {
  const user = session.get('user')
  if (pathname === '/login') return { text: 'Log in at /callback?user=NAME' }
  if (pathname === '/callback') return finishLogin(session, searchParams.get('user') ?? 'guest')
  if (pathname !== '/settings') return { text: `Welcome${user === undefined ? '' : `, ${user}`}.` }
  return user === undefined ? startLogin(session, pathname) : { text: `Settings of ${user}.` }
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { run, scripted } from '../src/index.ts'
import { calling, saying } from './support/bench.ts'
import { ownState } from './support/own-state.ts'
import { serveWeb } from './support/web-server.ts'

await ownState('redirects')
process.env.TAO_FETCH_IGNORE_ROBOTS = '1'

/** Any address fits, and must be named once the run has read something. */
const POLICY = {
  tools: {
    visit: {
      effects: ['read', 'egress'],
      marks: ['untrusted'],
      args: {
        url: { role: 'sink', type: { text: 200 } },
        goal: { role: 'payload', type: { text: 200 }, free: true },
      },
      runs: [{ args: { url: 'https://a.example/', goal: 'x' } }],
      denies: [{ args: { goal: 'x' } }],
    },
  },
}

test('a redirect to a host that the policy would not have let the model name is told, not followed', async (context) => {
  const elsewhere = await serveWeb(context, (_, response) => void response.end('The collector.'))
  const named = await serveWeb(context, (request, response) => {
    if (request.url !== '/paper') return void response.end('An introduction.')
    response.writeHead(302, { location: `${elsewhere.origin}/collect?d=1` }).end()
  })
  process.env.TAO_FETCH_ALLOW = `${named.origin},${elsewhere.origin}`
  const visiting = async (task: string, policy?: object) => {
    const visits = ['intro', 'paper'].map((page) => calling('visit', { url: `${named.origin}/${page}`, goal: 'x' }))
    const model = scripted([...visits, saying('Done.')])
    await run(task, { model, tools: ['visit'], ...(policy === undefined ? {} : { policy }) })
    return model.requests.at(-1)?.messages.at(-1)?.text ?? ''
  }
  const task = `Read ${named.origin}/intro and ${named.origin}/paper.`
  const target = `${elsewhere.origin}/collect?d=1`
  const refused = await visiting(task, POLICY)
  assert.ok(refused.includes(`redirects to another site, which was not followed. Ask for ${target} itself`), refused)
  assert.deepEqual(elsewhere.asked, [])
  assert.match(await visiting(`${task} It may lead to ${target} in the end.`, POLICY), /The collector\.$/)
  assert.match(await visiting(task), /The collector\.$/)
})

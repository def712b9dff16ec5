import assert from 'node:assert/strict'
import { once } from 'node:events'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { createSite } from '../src/site.ts'

/** Opens the site as a browser does that keeps its cookie, but follows no redirect by itself. */
async function openBrowser() {
  const site = createSite().listen(0, '127.0.0.1')
  await once(site, 'listening')
  const { port } = site.address() as AddressInfo
  let cookie = ''
  return {
    async visit(path: string): Promise<string | null> {
      const response = await fetch(`http://127.0.0.1:${port}${path}`, { headers: { cookie }, redirect: 'manual' })
      cookie = response.headers.get('set-cookie')?.split(';')[0] ?? cookie
      return response.headers.get('location')
    },
    async [Symbol.asyncDispose]() {
      site.close()
      site.closeAllConnections()
    },
  }
}

test('whoever opens a page without a login is sent to the login', async () => {
  await using browser = await openBrowser()
  assert.equal(await browser.visit('/settings'), '/login')
})

test('after the login the visitor lands on the page they came for', async () => {
  await using browser = await openBrowser()
  await browser.visit('/settings')
  const landed = await browser.visit('/callback?user=ada')
  assert.equal(landed, '/settings', `came for /settings, landed on ${landed}`)
})

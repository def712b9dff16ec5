import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A service over HTTP that counts what it was made to do. A key that it has seen before does nothing more. */
export interface EffectService extends AsyncDisposable {
  readonly url: string
  /** How often each thing was done, in the order in which it was done first. */
  done(): Readonly<Record<string, number>>
  forget(): void
}

export async function openEffectService(): Promise<EffectService> {
  const counts = new Map<string, number>()
  const keys = new Set<string>()
  const server = createServer((request, response) => {
    const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
    const key = searchParams.get('key')
    const name = decodeURIComponent(pathname.slice(1))
    const isKnown = key !== null && keys.has(key)
    if (key !== null) keys.add(key)
    if (request.method === 'POST' && !isKnown) counts.set(name, (counts.get(name) ?? 0) + 1)
    response.end(`${name} ok`)
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return {
    url: `http://127.0.0.1:${port}`,
    done: () => Object.fromEntries(counts),
    forget() {
      counts.clear()
      keys.clear()
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections()
      server.close()
    },
  }
}

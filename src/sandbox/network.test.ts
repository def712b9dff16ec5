import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import { type AddressInfo, createServer as createNetServer } from 'node:net'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { readAllowList } from './allow-list.ts'
import { bubblewrap } from './bubblewrap.ts'
import { whyNotPublic } from './network-address.ts'
import { never, tempFolder } from './sandbox.contract.ts'
import type { CommandResult } from './sandbox.ts'

const host = createServer((request, response) => response.end(`host saw ${request.headers.host} ${request.url}\n`))
let port = 0

before(async () => {
  await new Promise<void>((resolve) => host.listen(0, '127.0.0.1', resolve))
  port = (host.address() as AddressInfo).port
})
after(() => host.close())

/** Every name leads to the host above, and that one address counts as public. */
const sandboxTo = (addresses: readonly string[] = ['127.0.0.1']) =>
  bubblewrap({
    network: {
      resolve: async () => addresses,
      whyRefused: (address) => (address === '127.0.0.1' ? undefined : whyNotPublic(address)),
    },
  })

const inNetwork = (script: string, sandbox = sandboxTo()): Promise<CommandResult> => {
  const network = readAllowList([`a.example.org:${port}`])
  return sandbox.run({ argv: ['bash', '-c', script.replaceAll('$PORT', `${port}`)], network }, never())
}

const URL = 'http://a.example.org:$PORT/path'
const PYTHON = `import urllib.request as u; print(u.urlopen("${URL}").read().decode(), end="")`
const NODE = `const r = await fetch("${URL}"); console.log((await r.text()).trim())`
const CLIENTS: Readonly<Record<string, string>> = {
  curl: `curl -sS ${URL}`,
  'curl through a tunnel': `curl -sS --proxytunnel ${URL}`,
  'Python’s urllib': `PATH=/usr/bin python3 -c '${PYTHON}'`,
  'Node’s fetch': `/opt/node/bin/node --input-type=module -e '${NODE}'`,
}
for (const [client, script] of Object.entries(CLIENTS))
  test(`an allowed host answers in the sandbox: ${client}`, async () => {
    const result = await inNetwork(script)
    assert.equal(result.stdout.text, `host saw a.example.org:${port} /path\n`, result.stderr.text)
    assert.equal(result.unreached, undefined)
    assert.equal(result.leftovers, false)
  })

test('another host and another port are refused, and the result of that command says so', async () => {
  const result = await inNetwork(`curl -s http://example.com/; curl -s https://b.example.org/; curl -s ${URL}1`)
  assert.match(result.stdout.text, /^Tao refused example\.com:80: .*"network"/)
  assert.match(result.stdout.text, /host saw a\.example\.org:\d+ \/path1\n$/)
  assert.deepEqual(
    result.unreached?.map(({ target }) => target),
    ['example.com:80', 'b.example.org:443'],
  )
})

test('commands side by side are told of their own refusals only', async () => {
  const names = ['one.example', 'two.example', 'three.example']
  const sandbox = sandboxTo()
  const results = await Promise.all(names.map((name) => inNetwork(`curl -s http://${name}/`, sandbox)))
  assert.deepEqual(
    results.map(({ unreached }) => unreached?.map(({ target }) => target)),
    names.map((name) => [`${name}:80`]),
  )
})

test('without the proxy there is no way out: no address, no name, no listener of this machine', async () => {
  const script = [
    'curl -sS --noproxy "*" --max-time 3 http://127.0.0.1:$PORT/',
    'curl -sS --noproxy "*" --max-time 3 http://a.example.org:$PORT/',
    'curl -sS --noproxy "*" --max-time 3 http://192.0.2.1/',
    'ls /sys/class/net 2>/dev/null; tail -n +3 /proc/net/dev | cut -d: -f1',
  ].join('; ')
  const { stdout, stderr } = await inNetwork(script)
  assert.equal(stdout.text.trim(), 'lo')
  assert.equal(stderr.text.match(/curl: /g)?.length, 3, stderr.text)
})

test('a name that leads to this machine, to a cloud’s credentials or into a private network is refused', async () => {
  for (const address of ['127.0.0.2', '169.254.169.254', '::ffff:10.0.0.1']) {
    const result = await inNetwork(`curl -s ${URL}`, sandboxTo([address]))
    assert.match(result.stdout.text, /^Tao refused a\.example\.org/)
    assert.match(result.unreached?.[0]?.why ?? '', /leads to/)
  }
})

test('a command with network still has no Unix socket, and a socket file in its folder leads nowhere', async () => {
  await using folder = tempFolder()
  const path = join(folder.path, 'host.sock')
  const server = createNetServer((socket) => socket.end('reached'))
  await new Promise<void>((resolve) => server.listen(path, resolve))
  try {
    const script = 'import socket; socket.socket(socket.AF_UNIX).connect("/opt/host.sock")'
    const command = {
      argv: ['/usr/bin/python3', '-c', script],
      network: readAllowList(['example.org']),
      readOnly: { '/opt/host.sock': path },
    }
    const { exit, stderr } = await sandboxTo().run(command, never())
    assert.equal(exit, 1)
    assert.match(stderr.text, /Address family not supported/)
  } finally {
    server.close()
  }
})

test('the channel that the listener came through is closed to the command, and nothing of it runs beside it', async () => {
  const script = 'ls /proc/self/fd | tr "\\n" " "; for p in /proc/[0-9]*; do readlink $p/exe; done | grep -c node'
  const { stdout } = await inNetwork(script)
  assert.equal(stdout.text, '0 1 2 3 0\n')
})

test('the proxy ends with its command', async () => {
  const sandbox = sandboxTo()
  const before = process.getActiveResourcesInfo().filter((name) => /TCP|Pipe/.test(name)).length
  await inNetwork(`curl -s ${URL} & curl -s ${URL}; sleep 60 &`, sandbox)
  await new Promise((resolve) => setImmediate(resolve))
  const rest = process.getActiveResourcesInfo().filter((name) => /TCP|Pipe/.test(name)).length
  assert.ok(rest <= before, `${rest} after ${before}`)
})

test('the variables that lead to the proxy are there in this mode only', async () => {
  const script = 'env | grep -i proxy | cut -d= -f1 | sort | tr "\\n" " "'
  const names =
    'HTTPS_PROXY HTTP_PROXY NODE_USE_ENV_PROXY NO_PROXY NPM_CONFIG_HTTPS_PROXY NPM_CONFIG_NOPROXY NPM_CONFIG_PROXY'
  assert.equal((await inNetwork(`export LC_ALL=C; ${script}`)).stdout.text, `${names} http_proxy https_proxy no_proxy `)
  assert.equal((await bubblewrap().run({ argv: ['bash', '-c', script] }, never())).stdout.text, '')
})

test('a sandbox that was started ahead for one list is not used for another', async () => {
  const sandbox = bubblewrap({ ahead: true, network: { resolve: async () => [] } })
  const ask = (entry: string) =>
    sandbox.run({ argv: ['curl', '-s', 'http://a.example/'], network: readAllowList([entry]) }, never())
  try {
    assert.match((await ask('a.example')).stdout.text, /it has no address/)
    assert.match((await ask('b.example')).stdout.text, /not in the "network" list/)
    assert.match((await ask('b.example')).stdout.text, /not in the "network" list/)
  } finally {
    await sandbox.close()
  }
})

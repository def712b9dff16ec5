import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { readAllowList } from '../../src/sandbox/allow-list.ts'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { NETWORK_ENVIRONMENT } from '../../src/sandbox/network.ts'
import { ENVIRONMENT } from '../../src/sandbox/profile.ts'
import type { Command } from '../../src/sandbox/sandbox.ts'
import { ADDED_BY_SHELL } from './page.ts'

const NODE = '/opt/node/bin/node'
const PYTHON = '/usr/bin/python3'

/** What a program wrote that ended well. Without a workspace it works in an empty folder. */
async function output(argv: readonly string[], more: Partial<Command> = {}): Promise<string> {
  const { exit, stdout, stderr } = await bubblewrap().run({ argv, ...more }, new AbortController().signal)
  assert.equal(exit, 0, stderr.text)
  return stdout.text
}

/** Ordinary work, and what it writes. */
const WORKS: readonly { readonly name: string; readonly argv: readonly string[]; readonly writes: string }[] = [
  {
    name: 'git: init, commit, log',
    argv: [
      'bash',
      '-ec',
      `git init -q; git config user.name n; git config user.email n@localhost; echo a >a; git add a; git commit -qm first
git log --format=%s`,
    ],
    writes: 'first\n',
  },
  {
    name: 'Python: threads and a pool of processes',
    argv: [
      PYTHON,
      '-c',
      `
from concurrent.futures import ThreadPoolExecutor
from multiprocessing import Pool, Queue
with ThreadPoolExecutor(4) as threads: print(list(threads.map(abs, [-1, 2])))
with Pool(2) as pool: print(pool.map(abs, [-3, 4]))
queue = Queue(); queue.put(5); print(queue.get())`,
    ],
    writes: '[1, 2]\n[3, 4]\n5\n',
  },
  {
    name: 'Python: subprocesses of asyncio',
    argv: [
      PYTHON,
      '-c',
      `
import asyncio
async def main():
    child = await asyncio.create_subprocess_exec('cat', stdin=-1, stdout=-1)
    print((await child.communicate(b'through'))[0].decode())
asyncio.run(main())`,
    ],
    writes: 'through\n',
  },
  {
    name: 'Python: a server and a client on the loopback',
    argv: [
      PYTHON,
      '-c',
      `
import http.server, threading, urllib.request
class Handler(http.server.BaseHTTPRequestHandler):
    def do_GET(self):
        self.send_response(200); self.end_headers(); self.wfile.write(b'served')
    def log_message(self, *_): pass
server = http.server.ThreadingHTTPServer(('127.0.0.1', 0), Handler)
threading.Thread(target=server.serve_forever, daemon=True).start()
print(urllib.request.urlopen(f'http://localhost:{server.server_port}/').read().decode())`,
    ],
    writes: 'served\n',
  },
  {
    name: 'Node: a server and a client on the loopback',
    argv: [
      NODE,
      '-e',
      `const server = require('node:http').createServer((_, response) => response.end('served')).listen(0, async () => {
  console.log(await (await fetch('http://localhost:' + server.address().port)).text())
  server.close(); server.closeAllConnections()
})`,
    ],
    writes: 'served\n',
  },
  {
    name: 'Node: a forked process that answers',
    argv: [
      'bash',
      '-ec',
      `echo "process.once('message', (word) => process.send(word + ' back'))" >child.cjs
${NODE} -e "const child = require('node:child_process').fork('./child.cjs'); child.send('there'); child.on('message', (word) => console.log(word))"`,
    ],
    writes: 'there back\n',
  },
  {
    name: 'Node: its test runner with a process for each file, and worker threads',
    argv: [
      'bash',
      '-ec',
      `echo "require('node:test')('adds', () => require('node:assert').equal(1 + 1, 2))" | tee a.test.cjs >b.test.cjs
${NODE} --test --test-reporter=tap | grep '^# pass'
${NODE} -e "new (require('node:worker_threads').Worker)('console.log(1)', { eval: true })"`,
    ],
    writes: '# pass 2\n1\n',
  },
  {
    name: 'gcc: compile and run',
    argv: [
      'bash',
      '-ec',
      `echo 'int puts(const char *); int main(void) { puts("built"); }' | gcc -x c - -o built; ./built`,
    ],
    writes: 'built\n',
  },
  {
    name: 'a script run from the temporary folder',
    argv: ['bash', '-ec', `printf '#!/bin/sh\\necho ran\\n' >/tmp/script; chmod +x /tmp/script; /tmp/script`],
    writes: 'ran\n',
  },
  {
    name: 'the user has a name and a home',
    argv: ['bash', '-ec', 'whoami; cd ~; pwd; touch file'],
    writes: 'agent\n/home/agent\n',
  },
]

for (const { name, argv, writes } of WORKS)
  test(`works inside: ${name}`, async () => {
    assert.equal(await output(argv), writes)
  })

test('works inside: the certificates that programs trust can be read', async () => {
  const look =
    'import ssl; print(ssl.create_default_context().cert_store_stats()["x509_ca"] > 0, ssl.get_default_verify_paths().capath)'
  // A machine without certificates has none inside either.
  const expected = readable('/etc/ssl/certs/ca-certificates.crt') ? /^True / : /^(True|False) /
  assert.match(await output([PYTHON, '-c', look]), expected)
})

function readable(path: string): boolean {
  try {
    return readFileSync(path).length > 0
  } catch {
    return false
  }
}

const PAGE = readFileSync(join(import.meta.dirname, '../../docs/sandbox.md'), 'utf8')

test('does not work, as docs/sandbox.md says: what opens a Unix socket, and tracing', async () => {
  const manager =
    'import multiprocessing\ntry: multiprocessing.Manager()\nexcept (OSError, EOFError) as error: print("refused")'
  const trace = `import ctypes; print(ctypes.CDLL(None, use_errno=True).ptrace(0, 0, 0, 0), ctypes.get_errno())`
  assert.match(await output(['bash', '-c', `${PYTHON} -c '${manager}' 2>/dev/null`]), /^refused$/m)
  assert.equal(await output([PYTHON, '-c', trace]), '-1 1\n')
  for (const word of ['multiprocessing.Manager', 'strace']) assert.ok(PAGE.includes(word), word)
})

/** As `NAME=value`, sorted. */
async function environmentInside(more: Partial<Command> = {}): Promise<string[]> {
  const text = await output(['/usr/bin/env', '-0'], more)
  return text
    .split('\0')
    .filter((entry) => entry !== '')
    .sort()
}

const listed = (variables: Readonly<Record<string, string>>): string[] =>
  Object.entries(variables)
    .map(([name, value]) => `${name}=${value}`)
    .sort()

test('the environment inside is exactly the documented list, whatever stands outside', async () => {
  process.env.TAO_ESCAPE_PLANTED = 'planted'
  const [plain, connected] = [{ ...ENVIRONMENT, ...ADDED_BY_SHELL }, NETWORK_ENVIRONMENT]
  assert.deepEqual(await environmentInside(), listed(plain))
  const network = readAllowList(['registry.example'])
  assert.deepEqual(await environmentInside({ network }), listed({ ...plain, ...connected }))
  delete process.env.TAO_ESCAPE_PLANTED
  for (const [name, value] of Object.entries({ ...plain, ...connected }))
    assert.ok(PAGE.includes(`| \`${name}\` | \`${value}\` |`), name)
})

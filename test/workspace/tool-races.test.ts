import assert from 'node:assert/strict'
import { chmodSync, mkdtempSync, readFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import type { JsonObject } from '../../src/core/json.ts'
import { bubblewrap } from '../../src/sandbox/bubblewrap.ts'
import { removeTree } from '../../src/sandbox/remove-tree.ts'
import { writeTree } from '../../src/sandbox/sandbox.contract.ts'
import { makeWorkspace } from '../../src/sandbox/working-copy.ts'
import { BUILTIN_TOOLS } from '../../src/tools/builtin.ts'
import { SECRET, SWAPS, swapProgram, writeOutside } from './swapper.ts'

const CALLS: readonly (readonly [string, JsonObject])[] = [
  ['read_file', { path: 'p/q/x.txt' }],
  ['read_file', { path: 'f.txt' }],
  ['list_files', {}],
  ['list_files', { path: 'p/q' }],
  ['search_files', { pattern: 'o' }],
  ['edit', { path: 'f.txt', old_text: 'f', new_text: 'f' }],
  ['edit', { path: 'p/q/x.txt', old_text: 'x', new_text: 'x' }],
  ['write_file', { path: 'p/q/new.txt', content: 'ours' }],
  ['write_file', { path: 'p/q/deep/new.txt', content: 'ours' }],
]

// https://github.com/anthropics/claude-code/security/advisories/GHSA-4q92-rfm6-2cqx
// https://github.com/anthropics/claude-code/security/advisories/GHSA-vp62-r36r-9xqp
test('file tools see and write nothing outside while another sandbox swaps links in the same working copy', async () => {
  const path = mkdtempSync(join(tmpdir(), 'tao-tool-race-'))
  chmodSync(path, 0o755)
  const sandbox = bubblewrap()
  try {
    writeTree(join(path, 'source'), { 'p/q/x.txt': 'x\n', 'p/x.txt': 'x\n', 'f.txt': 'f\n' })
    const { view } = await makeWorkspace({ source: join(path, 'source'), place: join(path, 'place'), protect: [] })
    const outside = writeOutside(path)
    const { signal } = new AbortController()
    const tools = new Map([...BUILTIN_TOOLS].map(([name, make]) => [name, make({ sandbox, view })]))
    let swapped: string | undefined
    const argv = ['/usr/bin/python3', '-c', swapProgram(outside, SWAPS)]
    const swapper = sandbox.run({ argv, view }, signal).then(({ stdout, stderr }) => {
      swapped = stdout.text + stderr.text
    })
    let texts = ''
    for (let at = 0; swapped === undefined || at < CALLS.length; at++) {
      const [name, input] = CALLS[at % CALLS.length] ?? ['', {}]
      const tool = tools.get(name)
      const valid = await tool?.validate(input)
      assert.ok(tool !== undefined && valid?.ok === true, name)
      texts += (await tool.execute(valid.input, { call: `c${at}`, client: 'local', idempotencyKey: 'key', signal }))
        .text
    }
    await swapper
    assert.equal(swapped, `${SWAPS}\n`)
    assert.ok(!texts.replaceAll(outside, '').includes(SECRET), texts)
    assert.match(texts, /created/)
    for (const name of ['x.txt', 'q/x.txt']) assert.equal(readFileSync(join(outside, name), 'utf8'), `${SECRET}\n`)
    assert.throws(() => readFileSync(join(outside, 'q/new.txt')), { code: 'ENOENT' })
  } finally {
    await removeTree(path)
  }
})

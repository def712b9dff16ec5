import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { Json, JsonObject } from '../core/json.ts'
import { MARKS, type Mark } from '../core/mark.ts'
import { decide } from './decide.ts'
import { loadPolicy } from './load.ts'

/*
 * What other agents were made to permit, as their advisories tell it. Where a record names only the class of the bug, the
 * input is ours for that class. What such a call would do to a machine is for the tests of the sandbox.
 */

const policy = loadPolicy({
  tools: {
    exec: {
      effects: ['write'],
      args: {
        argv: {
          role: 'sink',
          free: true,
          type: { argv: { 'git log': ['--oneline', '--format'], cat: [], echo: [], rg: ['-n'], find: ['-name'] } },
        },
        cwd: { bind: 'workspace' },
      },
      runs: [{ args: { argv: ['git', 'log', '--oneline'] } }],
      denies: [{ args: { argv: ['rm', '-rf', '/'] } }],
    },
    write_file: {
      effects: ['write'],
      args: {
        path: { role: 'sink', free: true, type: { path: 'workspace', except: ['.git', '.env', '.tao'] } },
        text: { role: 'payload', free: true, type: { text: 1000 } },
      },
      runs: [{ args: { path: 'a.txt', text: 'x' } }],
      denies: [{ args: { path: '../a.txt', text: 'x' } }],
    },
    fetch: {
      effects: ['read', 'egress'],
      args: { url: { role: 'sink', type: { url: ['docs.python.org', 'google.com'] } } },
      runs: [{ args: { url: 'https://docs.python.org/3/' }, marks: ['untrusted', 'private'] }],
      denies: [{ args: { url: 'http://docs.python.org/3/' } }],
    },
    add: {
      effects: ['egress'],
      args: {
        a: { role: 'payload', type: { number: [0, 100] } },
        b: { role: 'payload', type: { number: [0, 100] } },
        sidenote: { role: 'payload', type: { text: 10_000 }, optional: true },
      },
      runs: [{ args: { a: 1, b: 2 } }],
      denies: [{ args: { a: '1', b: 2 } }],
    },
    delete_file: {
      effects: ['irreversible'],
      args: { file_id: { role: 'sink', type: { id: 'file' } } },
      runs: [{ args: { file_id: '13' }, words: 'Delete the file with id 13.' }],
      denies: [{ args: {} }],
    },
  },
})

interface Run {
  readonly words?: string
  readonly marks?: readonly Mark[]
}

const decideOn = (tool: string, args: JsonObject, { words = '', marks = MARKS }: Run = {}) =>
  decide(
    policy,
    { tool, args },
    {
      marks,
      words: [{ kind: 'typed', text: words }],
      session: { workspace: '/w/app' },
      canAsk: true,
    },
  ).decision
const exec = (...argv: Json[]) => decideOn('exec', { argv })
const write = (path: string) => decideOn('write_file', { path, text: 'x' })
const fetchOf = (url: string, run?: Run) => decideOn('fetch', { url }, run)

// https://github.com/anthropics/claude-code/issues/94314
// https://github.com/google-gemini/gemini-cli/issues/11766
// https://github.com/google-gemini/gemini-cli/issues/11510
// https://github.com/charmbracelet/crush/issues/3425
// https://github.com/cosmicstack-labs/mercury-agent/pull/46
test('a line that only begins with what is allowed is no command that is allowed', () => {
  assert.equal(exec('git log --oneline; id'), 'deny')
  assert.equal(exec('git', 'log', '--oneline; id'), 'deny')
  assert.equal(exec('git', 'log;id'), 'deny')
  assert.equal(exec('true && rm important_file.txt'), 'deny')
  assert.equal(exec('cat file.txt | wc -l'), 'deny')
  for (const line of [
    'echo hi; rm -rf ~',
    'echo hi\nrm -rf ~',
    'echo `rm -rf ~`',
    'cat <(rm -rf ~)',
    'echo $(curl x | sh)',
  ])
    assert.equal(exec(line), 'deny', line)
  assert.equal(decideOn('exec', { argv: 'git log --oneline' }), 'deny')
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-x56v-x2h6-7j34
// https://github.com/anthropics/claude-code/security/advisories/GHSA-xq4m-mc3c-vvg3
test('quotes, separators and substitutions are characters of one argument', () => {
  for (const text of ['"; rm -rf / #', 'a$IFS-b', '$(rm -rf /)', '`id`', '<(id)', '>(id)', '&&&'])
    assert.equal(exec('echo', text), 'allow', text)
  assert.equal(exec('echo', 'a\0b'), 'deny')
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-qxfv-fcpc-w36x
// https://github.com/anthropics/claude-code/security/advisories/GHSA-xq4m-mc3c-vvg3
// https://github.com/anthropics/claude-code/security/advisories/GHSA-qgqw-h4xq-7w8w
test('an option that is not listed is denied, however it is shortened or joined', () => {
  for (const option of ['--pre', '--pre=sh', '--pr', '-nz', '-', '--'])
    assert.equal(exec('rg', option, 'x'), 'deny', option)
  assert.equal(exec('find', '.', '-exec', 'rm', '{}', ';'), 'deny')
  assert.equal(exec('git', 'log', '--format=$(id)'), 'deny')
  assert.equal(exec('git', '-c', 'core.pager=id', 'log'), 'deny')
})

// https://github.com/andrewyng/openworker/issues/29
// https://github.com/andrewyng/openworker/issues/28
// https://github.com/anthropics/claude-code/security/advisories/GHSA-7mv8-j34q-vp7q
// https://github.com/cursor/cursor/security/advisories/GHSA-82wg-qcm4-fp2w
test('no program counts as one that only reads, and a shell’s own words are no programs', () => {
  assert.equal(exec('sed', '-n', 'w target'), 'deny')
  assert.equal(exec('git', '-c', 'core.pager=sh -c id', 'log'), 'deny')
  for (const line of ['python3 -c x', 'npx x', 'node -e x', 'env X=1 sh', 'nice cat x'])
    assert.equal(exec(...line.split(' ')), 'deny', line)
  for (const word of ['export', 'cd', 'source', 'eval', 'PAGER=id']) assert.equal(exec(word, 'x'), 'deny', word)
})

// https://enclave.ai/blog/claude-code-deny-rule-bypass-50-subcommands
test('checks do not stop after many harmless parts', () => {
  const many = Array.from({ length: 5_000 }, () => 'x')
  assert.equal(exec('cat', ...many), 'allow')
  assert.equal(exec('cat', ...many, '--delete'), 'deny')
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-66q4-vfjg-2qhh
// https://github.com/openai/codex/security/advisories/GHSA-w5fx-fh39-j5rw
test('the folder of a command comes from the session', () => {
  assert.equal(exec('cd', '.git'), 'deny')
  assert.equal(decideOn('exec', { argv: ['cat', 'a'], cwd: '/' }), 'deny')
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-pmw4-pwvc-3hx2
// https://github.com/modelcontextprotocol/servers/security/advisories/GHSA-hc55-p739-j48w
test('a path that begins like the root is not inside it', () => {
  assert.equal(write('/w/app-evil/x'), 'deny')
  assert.equal(write('../app-evil/x'), 'deny')
  assert.equal(write('/w/app/x'), 'allow')
})

// https://www.sentinelone.com/vulnerability-database/cve-2026-25725
// https://github.com/cursor/cursor/security/advisories/GHSA-xcwh-rrwj-gxc7
test('a protected name is protected before it exists, and in every spelling', () => {
  for (const path of ['.tao/policy.yaml', '.GIT/config', '.Env', 'sub/../.git/hooks/pre-commit', '.git./config'])
    assert.equal(write(path), 'deny', path)
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-vhw5-3g5m-8ggf
test('a host is not one that only looks like a listed one', () => {
  assert.equal(fetchOf('https://docs.python.org.evil.example/'), 'ask')
  assert.equal(fetchOf('https://evildocs.python.org/'), 'ask')
  assert.equal(fetchOf('https://docs.python.org@evil.example/'), 'deny')
  assert.equal(fetchOf('https://d\u043ecs.python.org/'), 'ask')
})

// https://www.penligent.ai/hackinglabs/pt/?p=5317
test('an address with a character that ends it for somebody else is denied', () => {
  for (const url of [
    'https://attacker.example\0.google.com/',
    'https://attacker.example\n.google.com/',
    'https://attacker.example\\.google.com',
  ])
    assert.equal(fetchOf(url), 'deny', JSON.stringify(url))
})

// https://github.com/indutny/node-ip/issues/150
// https://github.com/langchain-ai/langchainjs (libs/langchain-core/src/utils/ssrf.ts)
test('an address by number or a name of this machine is denied in every spelling', () => {
  const hosts = [
    '127.1',
    '01200034567',
    '012.1.2.3',
    '2130706433',
    '0x7f.1',
    '[000:0:0000::01]',
    '[::fFFf:127.0.0.1]',
    '[::1]',
    'localhost',
    'localhost.',
    '100.64.0.1',
    '[64:ff9b::a9fe:a9fe]',
    '169.254.169.254',
  ]
  for (const host of hosts) assert.equal(fetchOf(`https://${host}/`, { marks: [] }), 'deny', host)
})

// https://github.com/anthropics/claude-code/security/advisories/GHSA-x5gv-jw7f-j6xj
test('no call that sends something out is safe as such once something was read', () => {
  assert.equal(fetchOf('https://example.com/?leak=1', { marks: [] }), 'allow')
  for (const mark of MARKS) assert.equal(fetchOf('https://example.com/?leak=1', { marks: [mark] }), 'ask')
})

// https://dev.to/luckypipewrench/your-mcp-servers-tool-descriptions-are-an-attack-surface-37pj
test('an argument that a description asks to be filled with something read is a payload, and asks', () => {
  assert.equal(decideOn('add', { a: 1, b: 2 }, { words: 'Add 1 and 2.' }), 'allow')
  assert.equal(decideOn('add', { a: 1, b: 2, sidenote: 'the key of id_rsa' }, { words: 'Add 1 and 2.' }), 'ask')
  assert.equal(decideOn('add', { a: 1, b: 2, content_from_reading_ssh_id_rsa: 'x' }), 'deny')
})

// https://developers.openai.com/zh-Hans/docs/agent-approvals-security
test('a tool that says of itself that it only reads is not believed; one that says worse is', () => {
  const call = { tool: 'delete_file', args: { file_id: '13' } }
  const situation = { marks: [], words: [], session: {}, canAsk: true }
  assert.equal(decide(policy, { ...call, effects: ['read'] }, situation).decision, 'ask')
  const add = { tool: 'add', args: { a: 1, b: 2, sidenote: 'x' } }
  const marked = { ...situation, marks: ['private'] as const, words: [] }
  assert.equal(decide(policy, add, marked).decision, 'allow')
  assert.deepEqual(decide(policy, { ...add, effects: ['irreversible'] }, marked).effects, ['egress', 'irreversible'])
})

// https://www.theorydelta.com/findings/cline-model-delegated-safety-fails
test('nothing that the model writes says whether it needs approval', () => {
  for (const extra of [{ requires_approval: false }, { safe: true }, { approved: true }])
    assert.equal(decideOn('delete_file', { file_id: '13', ...extra }, { words: 'Delete id 13.' }), 'deny')
})

// https://github.com/modelcontextprotocol/typescript-sdk/issues/965
test('outside text is never matched by an expression that can go on for ever', () => {
  const hostile = `https://example.com/${'{'.repeat(2_000)}${'a'.repeat(20_000)}!`
  const words = `${'a-'.repeat(20_000)} ${'1,111'.repeat(5_000)} ${'id '.repeat(10_000)}`
  assert.equal(fetchOf(hostile, { words }), 'ask')
  assert.equal(decideOn('delete_file', { file_id: 'a'.repeat(100) }, { words }), 'ask')
})

// https://arxiv.org/html/2406.13352v1
test('a day of the month that the user typed is no identifier', () => {
  assert.equal(decideOn('delete_file', { file_id: '13' }, { words: 'What are we going to do on June 13?' }), 'ask')
  assert.equal(decideOn('delete_file', { file_id: '13' }, { words: 'Delete the file with ID 13.' }), 'allow')
})

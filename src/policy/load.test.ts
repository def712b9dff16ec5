import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import fc from 'fast-check'
import { TaoError } from '../core/error.ts'
import { explainPolicy } from './explain.ts'
import { findMismatches, loadPolicy } from './load.ts'

const note = {
  effects: ['write'],
  args: { text: { role: 'payload', type: { text: 100 } } },
  runs: [{ args: { text: 'x' } }],
  denies: [{ args: {} }],
}

function problemIn(tool: object, name = 'note'): string {
  try {
    loadPolicy({ tools: { [name]: tool } })
  } catch (error) {
    assert.ok(error instanceof TaoError, String(error))
    assert.equal(error.code, 'policy')
    return error.message
  }
  return 'none'
}

test('a policy that says what it means is loaded', () => {
  assert.equal(problemIn(note), 'none')
})

describe('a policy that does not load stops the run', () => {
  const cases: readonly [string, object, RegExp][] = [
    ['an unknown key', { ...note, priority: 1 }, /tools\.note.*priority/],
    ['an unknown effect', { ...note, effects: ['delete'] }, /tools\.note\.effects/],
    ['no effects', { ...note, effects: [] }, /tools\.note\.effects/],
    [
      'an unknown type',
      { ...note, args: { text: { role: 'payload', type: { regex: '.*' } } } },
      /tools\.note\.args\.text/,
    ],
    ['an unknown role', { ...note, args: { text: { role: 'both', type: { text: 1 } } } }, /tools\.note\.args\.text/],
    [
      'a pattern as a host',
      { ...note, args: { url: { role: 'sink', type: { url: ['*.example.com'] } } } },
      /tools\.note\.args\.url/,
    ],
    ['no example that must not run', { ...note, denies: [] }, /tools\.note\.denies/],
    ['no example that may run', { ...note, runs: [] }, /tools\.note: it needs an example/],
    ['a day’s money without an amount', { ...note, limits: { perDay: 5 } }, /tools\.note: perDay needs/],
    [
      'a typed reader that writes',
      { ...note, answer: { oneOf: [true, false] } },
      /tools\.note: a typed reader only reads/,
    ],
    [
      'an answer of a type that is not closed',
      { ...note, effects: ['read'], answer: { text: 100 } },
      /tools\.note\.answer/,
    ],
  ]
  for (const [what, tool, problem] of cases) test(what, () => assert.match(problemIn(tool), problem))

  test('an example that is decided otherwise than it says, with the decision and why', () => {
    const tool = { ...note, runs: [{ args: { text: 'x' }, marks: ['untrusted'] }] }
    assert.match(problemIn(tool), /^tools\.note: an example says allow, the decision is ask: \{"text":"x"\}: Neither/)
  })

  test('a name that reaches prototypes, at any depth', () => {
    assert.match(problemIn(note, 'constructor'), /"constructor" is not allowed/)
    assert.match(problemIn(JSON.parse('{"args": {"a": [{"__proto__": 1}]}}')), /"__proto__" is not allowed/)
  })

  test('anything at all: it loads or it is refused with a sentence', () => {
    const isRefused = (policy: unknown): boolean => {
      try {
        loadPolicy(policy)
        return false
      } catch (error) {
        assert.ok(error instanceof TaoError, String(error))
        return true
      }
    }
    fc.assert(
      fc.property(fc.anything(), (value) => {
        isRefused(value)
        isRefused({ tools: value })
        assert.ok(isRefused({ tools: { note: value } }), 'no value of this generator is a tool')
      }),
    )
  })
})

test('where policy and tools speak of different arguments, it is said', () => {
  const policy = loadPolicy({ tools: { note } })
  const definition = (name: string, ...args: string[]) => ({
    name,
    parameters: { type: 'object', properties: Object.fromEntries(args.map((arg) => [arg, {}])) },
  })
  assert.deepEqual(findMismatches(policy, [definition('note', 'text')]), [])
  assert.deepEqual(findMismatches(policy, [definition('note', 'words'), definition('other')]), [
    'The policy does not name "words" of note.',
    'The tool note has no argument "text".',
    'The policy has no tool "other".',
  ])
})

test('a sentence says what each tool may do', () => {
  const mail = {
    effects: ['egress', 'irreversible'],
    marks: [],
    args: {
      from: { bind: 'account' },
      to: { role: 'sink', type: { text: 9 } },
      body: { role: 'payload', type: { text: 9 } },
    },
    limits: { perRun: 3 },
    asks: [{ args: { to: 'Eve', body: 'x' } }],
    denies: [{ args: {} }],
  }
  const sentences = explainPolicy(loadPolicy({ tools: { note, mail } })).map(({ sentence }) => sentence)
  assert.deepEqual(sentences, [
    'note changes what can be changed back, and runs freely, but once the run has read anything written by others it asks unless you or a list named text; what it gives counts as written by others and private.',
    'mail sends data out and does what cannot be undone, and asks unless you or a list named to, but once the run has read anything written by others it asks unless you or a list named to and body; at most 3 calls in a run; from comes from the session; what it gives counts as neither private nor written by others.',
  ])
})

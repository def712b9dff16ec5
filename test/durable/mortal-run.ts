// A run that may be killed at any moment: `node mortal-run.ts JOURNAL SERVICE`. Starts it, or goes on with it.
import { z } from 'zod'
import { check, openSqliteJournal, type RunTaskOptions, resume, run, scripted, tool } from '../../src/index.ts'
import type { ScriptReply } from '../../src/model/script.ts'
import { calling, callOf, saying } from '../support/bench.ts'

const [path = '', service = ''] = process.argv.slice(2)
/** `tool:3` ends the process within the third effect: when it has happened, and nothing says so yet. */
const [when, at] = (process.env.TAO_TEST_KILL ?? '').split(':')
let effects = 0

async function cause(name: string, key?: string): Promise<string> {
  const response = await fetch(`${service}/${name}${key === undefined ? '' : `?key=${key}`}`, { method: 'POST' })
  const text = await response.text()
  effects += 1
  if (when === 'tool' && effects === Number(at)) process.kill(process.pid, 'SIGKILL')
  return text
}

const input = z.object({ what: z.string() })
const tools = [
  tool({
    name: 'look',
    description: 'Looks.',
    input,
    effects: 'read',
    run: async ({ what }) => (await fetch(`${service}/${what}`)).text(),
  }),
  tool({ name: 'mark', description: 'Marks.', input, effects: 'write', run: ({ what }) => cause(what) }),
  tool({
    name: 'post',
    description: 'Posts.',
    input,
    effects: 'egress',
    repeatable: true,
    run: ({ what }, { idempotencyKey }) => cause(what, idempotencyKey),
  }),
  tool({ name: 'pay', description: 'Pays.', input, effects: 'irreversible', run: ({ what }) => cause(what) }),
]

const SCRIPT: readonly ScriptReply[] = [
  { calls: [callOf('look', { what: 'a' }), callOf('look', { what: 'b' })] },
  calling('pay', { what: 'pay-1' }),
  { calls: [callOf('post', { what: 'post-1' }), callOf('look', { what: 'c' }), callOf('mark', { what: 'mark-1' })] },
  saying('Done.'),
  calling('mark', { what: 'mark-2' }),
  saying('Done now.'),
]

const rule = {
  args: { what: { role: 'payload', type: { text: 40 }, free: true } },
  marks: [],
  denies: [{ args: { what: 5 } }],
}
const runs = [{ args: { what: 'a' } }]
const policy = {
  tools: {
    look: { effects: ['read'], ...rule, runs },
    mark: { effects: ['write'], ...rule, runs },
    post: { effects: ['egress'], ...rule, runs },
    pay: { effects: ['irreversible'], floor: 'ask', ...rule, asks: runs },
  },
}

const journal = openSqliteJournal(path)
const [known] = await journal.runs()
const events = known === undefined ? [] : await journal.read(known.run)
const options: RunTaskOptions & { journal: typeof journal } = {
  model: scripted(SCRIPT, { from: events.filter(({ kind }) => kind === 'model.replied').length }),
  tools,
  policy,
  client: 'c-1',
  // What is said of a call whose outcome is not known is: do not repeat it.
  approve: (card) => (card.outcomeUnknown ? { decision: 'deny', by: 'test' } : { decision: 'approve', by: 'test' }),
  approvalKey: 'a key for the test',
  done: [
    check({
      name: 'both marks',
      check({ record }) {
        const marks = record.calls.filter(({ name }) => name === 'mark').length
        return { holds: marks === 2, detail: `${marks} of 2 marks` }
      },
    }),
  ],
  journal,
}
if (known === undefined) await run('Do it all.', options)
else if (events.at(-1)?.kind !== 'run.ended') await resume(known.run, options)
await journal.close()

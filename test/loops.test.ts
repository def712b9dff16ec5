import assert from 'node:assert/strict'
import { test } from 'node:test'
import { z } from 'zod'
import { run, scripted, tool } from '../src/index.ts'
import { called } from '../src/judge/called.ts'
import { retrying } from '../src/model/retry.ts'
import type { ScriptReply } from '../src/model/script.ts'
import { calling, callOf, plainTool, runScript, saying } from './support/bench.ts'

/*
 * Loops, early stops and endings that people have reported of agents: what ends a run here, and what does not.
 */

const LOOK = { name: 'look', description: 'Looks.', input: z.object({ at: z.string() }), effects: 'read' as const }
const look = plainTool('look', 'read', ({ at }) => `seen ${at}`)

// https://github.com/xuzhougeng/wisp-science/pull/395
test('a call that succeeds and tells nothing new is stopped like one that fails', async () => {
  for (const ok of [true, false]) {
    const same = plainTool('same', 'read', () => ({ ok, text: 'as before' }))
    const { outcome } = await runScript({ script: () => calling('same'), tools: [same] })
    assert.deepEqual([outcome.status, outcome.limit?.limit, outcome.toolCalls], ['limit', 'repeats', 5])
  }
})

// https://github.com/superplanehq/superplane/issues/4123
test('empty results of ever other arguments are bounded by the limits that are always there', async () => {
  const list = plainTool('list', 'read', () => '[]')
  const { outcome } = await runScript({ script: (n) => calling('list', { filter: `${n}` }), tools: [list] })
  assert.deepEqual([outcome.status, outcome.limit?.limit, outcome.modelCalls], ['limit', 'modelCalls', 50])
})

// https://github.com/HKUDS/nanobot/pull/5344
test('the same calls side by side, in another order each time, are repeats', async () => {
  const calls = ['a', 'b', 'c'].map((at) => callOf('look', { at }))
  const script = (n: number): ScriptReply => ({ calls: [...calls.slice(n % 3), ...calls.slice(0, n % 3)] })
  const trace = await runScript({ script, tools: [look], limits: { repeats: 3 } })
  assert.deepEqual([trace.outcome.limit?.limit, trace.outcome.toolCalls], ['repeats', 9])
})

// https://github.com/google-gemini/gemini-cli/issues/11002
test('two calls in turn that tell nothing new are stopped; edits and builds whose result changes are not', async () => {
  const alternate = (n: number) => calling(n % 2 === 0 ? 'look' : 'build', { at: 'x' })
  const build = plainTool('build', 'read', () => 'broken')
  const stuck = await runScript({ script: alternate, tools: [look, build], limits: { repeats: 3 } })
  assert.equal(stuck.outcome.limit?.limit, 'repeats')
  let left = 6
  const better = plainTool('build', 'read', () => `${--left} errors`)
  const script = (n: number) => (n < 10 ? calling(n % 2 === 0 ? 'edit' : 'build', { at: `${n}` }) : saying('Built.'))
  const edit = plainTool('edit', 'write', () => 'edited')
  const { outcome } = await runScript({ script, tools: [edit, better], limits: { repeats: 3 } })
  assert.equal(outcome.status, 'answered')
})

// https://github.com/mastra-ai/mastra/issues/15717
// https://github.com/mastra-ai/mastra/pull/15718
// https://github.com/mastra-ai/mastra/pull/15788
test('a call that is cut off again and again never runs, and ends the run after a few requests', async () => {
  const cut: ScriptReply = { calls: [{ name: 'look', arguments: '{"at": "a lo' }], finish: 'length' }
  const { outcome, all } = await runScript({ script: () => cut, tools: [look] })
  assert.deepEqual([outcome.status, outcome.limit?.limit, outcome.modelCalls], ['failed', 'malformedReplies', 3])
  assert.equal(all('call.started').length, 0)
})

// https://github.com/mastra-ai/mastra/pull/14187
test('a reply that says it ends with calls and has none is told to the model, and ends the run after a few', async () => {
  const { outcome, all } = await runScript({ script: () => ({ text: '', finish: 'calls' }), tools: [look] })
  assert.deepEqual([outcome.status, outcome.limit?.limit], ['failed', 'malformedReplies'])
  assert.equal(all('claim.made').length, 0)
})

// https://github.com/Hal0ai/hal0/issues/1598
// https://github.com/zhayujie/CowAgent/pull/3074
test('a text that was cut off is no answer, and the record says that it was cut', async () => {
  const script: ScriptReply[] = [{ text: 'Let me check:', finish: 'length' }, saying('All is well.')]
  const { outcome, all } = await runScript({ script })
  assert.deepEqual([outcome.status, outcome.answer], ['answered', 'All is well.'])
  assert.equal(all('model.replied')[0]?.finish, 'length')
})

// https://github.com/log10-io/log10/pull/152
test('calls are run although the service says that the reply just stopped', async () => {
  const script: ScriptReply[] = [{ ...calling('look', { at: 'a' }), finish: 'stop' }, saying('Seen.')]
  const { outcome } = await runScript({ script, tools: [look] })
  assert.deepEqual([outcome.status, outcome.toolCalls], ['answered', 1])
})

// https://github.com/Science-Discovery/Aether/pull/1237
test('a call in the last answer is not run, and nothing more is asked', async () => {
  const script = () => calling('look', { at: 'a' })
  const trace = await runScript({ script, tools: [look], limits: { toolCalls: 1 } })
  assert.equal(trace.outcome.status, 'limit')
  assert.equal(trace.all('call.started').length, 1)
  assert.deepEqual([trace.outcome.modelCalls, trace.model.requests.length], [3, 3])
})

// https://github.com/brightwave-inc/tidebreak/issues/1098
test('asking again after trouble uses up no step, and what was said before is kept', async () => {
  const busy: ScriptReply = { error: { status: 503, body: '' } }
  const looking: ScriptReply = { text: 'I look.', ...calling('look', { at: 'a' }) }
  const model = retrying(scripted([busy, busy, looking, busy, saying('Seen.')]), { sleep: async () => {} })
  const tools = [tool({ ...LOOK, run: () => 'seen' })]
  const outcome = await run('Look.', { model, tools, limits: { modelCalls: 2 } })
  assert.deepEqual([outcome.status, outcome.answer, outcome.modelCalls], ['answered', 'Seen.', 2])
})

// https://github.com/alibaba/page-agent/issues/215
test('an answer that says what is still to be done is no end where criteria say otherwise', async () => {
  const criteria = [called({ tool: 'look', with: { at: 'b' } })]
  const script = [saying('Success! Next I will look at b.'), calling('look', { at: 'b' }), saying('Seen.')]
  const trace = await runScript({ script, tools: [look], criteria })
  assert.equal(trace.all('claim.rejected').length, 1)
  assert.equal(trace.outcome.status, 'success')
})

// https://github.com/chaitanyagiri/munder-difflin/issues/288
test('a limit that is passed in the middle of a step keeps the next request from being made', async () => {
  const usage = { inputFresh: 900, inputCached: 0, inputCacheWritten: 0, output: 200, reasoning: 0 }
  const script = () => ({ ...calling('look', { at: 'a' }), usage })
  const { outcome } = await runScript({ script, tools: [look], limits: { tokens: 1_000 } })
  assert.deepEqual(
    [outcome.status, outcome.limit, outcome.modelCalls],
    ['limit', { limit: 'tokens', value: 1_100, bound: 1_000 }, 1],
  )
})

// https://github.com/huggingface/smolagents/issues/1481
// https://github.com/huggingface/smolagents/pull/1482
// https://github.com/pydantic/pydantic-ai/issues/2679
test('a text beside calls is no answer: all of the calls run, and the model is asked again', async () => {
  const calls = [callOf('look', { at: 'a' }), callOf('look', { at: 'b' })]
  const trace = await runScript({ script: [{ text: 'Sent.', calls }, saying('Both were seen.')], tools: [look] })
  assert.deepEqual(trace.observations(), ['seen a', 'seen b'])
  assert.deepEqual([trace.all('claim.made').length, trace.outcome.answer], [1, 'Both were seen.'])
})

import assert from 'node:assert/strict'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { environment, ownState } from '../../test/support/own-state.ts'
import { bodyOf, sendJson, serveWeb } from '../../test/support/web-server.ts'
import { memoryJournal, replay, run, scripted } from '../index.ts'
import type { ScriptReply } from '../model/script.ts'
import { chooseTools } from './run-tools.ts'
import { type Environment, readSettings } from './settings.ts'

const folder = await ownState('second-model')

test('a second model is the one that is named, in the names of the original too', async (context) => {
  const bodies: string[] = []
  const { origin } = await serveWeb(context, async (request, response) => {
    if (request.method === 'GET') return void response.end('The river is 40 miles long.')
    bodies.push(`${request.headers.authorization}`)
    const content = '{"rational": "r", "evidence": "40 miles", "summary": "It is 40 miles long."}'
    sendJson(response, { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }] })
  })
  const fetched = { TAO_FETCH_ALLOW: origin, TAO_FETCH_IGNORE_ROBOTS: '1' }
  const ways: Environment[] = [
    { API_BASE: `${origin}/v1`, SUMMARY_MODEL_NAME: 'small', API_KEY: 'k1' },
    { TAO_SUMMARY_MODEL: 'openai-compatible/small', TAO_BASE_URL: `${origin}/v1`, TAO_API_KEY: 'k2' },
  ]
  for (const way of ways) {
    const settings = readSettings({ ...fetched, ...way }, { uid: 1000, homeFolder: '/nowhere' })
    const chosen = await chooseTools(['visit'], { hasWorkspace: false, settings })
    const tool = chosen.build(undefined).get('visit')
    const read = await tool?.validate({ url: origin, goal: 'length' })
    assert.ok(tool && read?.ok)
    const { text } = await tool.execute(read.input, {
      call: 'c1',
      client: 'local',
      idempotencyKey: 'key',
      signal: new AbortController().signal,
    })
    assert.match(text, /## Evidence in the page\n\n40 miles\n\n## Summary\n\nIt is 40 miles long\.$/)
  }
  assert.deepEqual(bodies, ['Bearer k1', 'Bearer k2'])
})

const USAGE = { inputFresh: 10, inputCached: 0, inputCacheWritten: 0, output: 5, reasoning: 0 }

/** A page, and a second model that says what it used. */
async function pageWithSecondModel(context: TestContext): Promise<string> {
  const { origin } = await serveWeb(context, (request, response) => {
    if (request.method === 'GET') return void response.end('The river is 40 miles long.')
    const content = '{"rational": "r", "evidence": "40 miles", "summary": "It is 40 miles long."}'
    const usage = { prompt_tokens: 900, completion_tokens: 100 }
    sendJson(response, { choices: [{ message: { role: 'assistant', content }, finish_reason: 'stop' }], usage })
  })
  environment(context, {
    ...{ TAO_FETCH_ALLOW: origin, TAO_FETCH_IGNORE_ROBOTS: '1' },
    ...{ API_BASE: `${origin}/v1`, SUMMARY_MODEL_NAME: 'small' },
  })
  return origin
}

test('what the second model of visit uses is in the spend of the run, and counts towards its limits', async (context) => {
  const origin = await pageWithSecondModel(context)
  const looking = (goal: string) => ({ calls: [{ name: 'visit', arguments: { url: origin, goal } }], usage: USAGE })
  const runWith = async (replies: readonly ScriptReply[], tokens: number) => {
    const journal = memoryJournal()
    const model = scripted(replies)
    const wish = { journal, tools: ['visit'], limits: { tokens } }
    const outcome = await run('How long is it?', { ...wish, model })
    // The record is enough: with what the calls used on it, the same limit fires at the same place.
    assert.equal((await replay(outcome.run, wish)).difference, undefined)
    return { ...outcome, events: await journal.read(outcome.run) }
  }
  const told = await runWith([looking('length'), { text: 'It is 40 miles long.', usage: USAGE }], 10_000)
  assert.deepEqual([told.usage.inputFresh, told.usage.output], [920, 110])
  const finished = told.events.find((event) => event.kind === 'call.finished')
  assert.deepEqual(finished?.usage, { ...USAGE, inputFresh: 900, output: 100 })
  const stopped = await runWith([looking('length'), looking('source')], 2_000)
  assert.deepEqual([stopped.status, stopped.limit?.limit], ['limit', 'tokens'], stopped.reason)
})

test('a limit of cost needs the price of the second model, and holds with it', async (context) => {
  const origin = await pageWithSecondModel(context)
  const usage = { ...USAGE, cost: 0 }
  const looking = { calls: [{ name: 'visit', arguments: { url: origin, goal: 'x' } }], usage }
  const model = { ...scripted([looking, { text: 'Done.', usage }]), price: { input: 0, cachedInput: 0, output: 0 } }
  const wish = { model, tools: ['visit'], limits: { cost: 1 } }
  await assert.rejects(run('Look.', wish), { code: 'price', message: /openai-compatible\/small, which a tool asks/ })
  environment(context, { TAO_SUMMARY_PRICE: '1,2' })
  await assert.rejects(run('Look.', wish), { code: 'usage', message: /TAO_SUMMARY_PRICE must be three amounts/ })
  environment(context, { TAO_SUMMARY_PRICE: '1000, 0.5, 2000' })
  const ended = await run('Look.', wish)
  assert.deepEqual([ended.limit?.limit, ended.usage.cost?.toFixed(2)], ['cost', '1.10'], ended.reason)
})

test('TAO_VISION_MODEL describes the pictures of parse_file, and is sent them as data', async (context) => {
  const bodies: string[] = []
  const { origin } = await serveWeb(context, async (request, response) => {
    bodies.push(await bodyOf(request))
    const message = { role: 'assistant', content: 'A grey point.' }
    sendJson(response, {
      choices: [{ message, finish_reason: 'stop' }],
      usage: { prompt_tokens: 900, completion_tokens: 100 },
    })
  })
  environment(context, { TAO_VISION_MODEL: 'openai-compatible/seeing', TAO_BASE_URL: `${origin}/v1` })
  const workspace = join(folder, 'workspace')
  await mkdir(workspace)
  const point = 'R0lGODdhAQABAIAAAICAgAAAACwAAAAAAQABAAACAkQBADs='
  await writeFile(join(workspace, 'point.gif'), Buffer.from(point, 'base64'))
  const model = scripted([
    { calls: [{ name: 'parse_file', arguments: { files: 'point.gif' } }], usage: USAGE },
    { text: 'It is grey.', usage: { ...USAGE, inputFresh: 0, output: 0 } },
  ])
  const { status, usage, reason } = await run('What is it?', { model, tools: ['parse_file'], workspace })
  assert.equal(status, 'answered', reason)
  assert.match(model.requests[1]?.messages.at(-1)?.text ?? '', /A grey point\.$/)
  assert.ok(bodies[0]?.includes(`{"type":"image_url","image_url":{"url":"data:image/gif;base64,${point}"}}`), bodies[0])
  assert.deepEqual([usage.inputFresh, usage.output], [910, 105])
})

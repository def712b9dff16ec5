import assert from 'node:assert/strict'
import { describe, test } from 'node:test'
import { z } from 'zod'
import { LANGUAGES } from '../src/core/language.ts'
import { type Event, type Request, type RunTaskOptions, run, scripted, tool } from '../src/index.ts'

const look = tool({ name: 'look', description: 'Looks.', input: z.object({}), effects: 'read', run: () => 'seen' })

/** Runs replies to their end. Gives what the model was asked and how the run began. */
async function runReplies(task: string, replies: readonly string[], options: Omit<RunTaskOptions, 'model' | 'tools'>) {
  const model = scripted(replies.map((text) => ({ text })))
  const events: Event[] = []
  const outcome = await run(task, { ...options, model, tools: [look], onEvent: (event) => events.push(event) })
  const [started] = events
  assert.ok(started?.kind === 'run.started')
  return { outcome, requests: model.requests, started }
}

const textsOf = (request: Request | undefined) => (request?.messages ?? []).map(({ role, text }) => `${role}: ${text}`)

function assertPrefixes(requests: readonly Request[]): void {
  for (const [index, request] of requests.slice(1).entries()) {
    const before = requests[index] ?? request
    assert.ok(request.prefixBytes > before.bytes.length - 40, 'all but the tail is shared')
    const [old, now] = [before, request].map(({ bytes }) => Buffer.from(bytes).subarray(0, request.prefixBytes))
    assert.deepEqual(now, old)
  }
}

describe('a run is in one language from its prompt to its observations', () => {
  test('Russian, found by the script of the task', async () => {
    const replies = ['Э-э…', 'Мысль: Смотрю.\nДействие: {"name": "look"}', 'Мысль: Ясно.\nОкончательный ответ: Вижу.']
    const { outcome, requests, started } = await runReplies('Посмотри, что там.', replies, {
      protocol: 'thought-action',
    })
    assert.deepEqual([outcome.status, outcome.answer, started.language], ['answered', 'Вижу.', 'ru'])
    assert.deepEqual(started.head.stop, ['Наблюдение:', 'Observation:'])
    assert.match(started.system, /^Ты — внимательный помощник/)
    const [, , , malformed, , observed] = textsOf(requests[2])
    assert.match(malformed ?? '', /^user: Ничего не выполнено: .*\n\nМысль: /)
    assert.equal(observed, 'user: Наблюдение: seen')
    assertPrefixes(requests)
  })

  test('Chinese, because the run says so', async () => {
    const replies = ['思考：看一下。\n行动：look\n行动输入：{}', '最终答案：看到了。']
    const { outcome, requests, started } = await runReplies('Look.', replies, {
      protocol: 'thought-action',
      language: 'zh',
    })
    assert.deepEqual([outcome.status, outcome.answer, started.language], ['answered', '看到了。', 'zh'])
    assert.deepEqual(started.head.stop, ['观察:', '观察：', 'Observation:'])
    assert.equal(textsOf(requests[1]).at(-1), 'user: 观察: seen')
    assertPrefixes(requests)
  })

  test('English, where nothing says otherwise', async () => {
    const { started } = await runReplies('Look.', ['Fine.'], {})
    assert.equal(started.language, 'en')
    assert.match(started.system, /^You are a careful assistant/)
  })
})

for (const protocol of ['native', 'tagged', 'thought-action', 'agent-calls'] as const)
  test(`over ${protocol} each request extends the one before byte for byte, in every language`, async () => {
    for (const language of LANGUAGES) {
      const { outcome, requests } = await runReplies('Look.', ['', '', ''], { protocol, language })
      assert.deepEqual([outcome.status, requests.length], ['failed', 3])
      assertPrefixes(requests)
    }
  })

test("a run with a prompt of the user's own sends that and nothing else", async () => {
  const { started } = await runReplies('Look.', ['<answer>Fine.</answer>'], {
    protocol: 'tagged',
    prompt: 'Use:\n{{tools}}',
  })
  assert.match(started.system, /^Use:\nThe tools, one a line:\n<tools>\n\{"name":"look".*\}\n<\/tools>$/)
})

test('a prompt that cannot be used, a language and a layout that do not exist are refused before anything is asked', async () => {
  const refused = (options: object, message: RegExp) => {
    const model = scripted([])
    return assert.rejects(run('Look.', { model, tools: [look], ...options }), (error: Error) =>
      message.test(error.message),
    )
  }
  await refused({ protocol: 'tagged', prompt: 'Hello.' }, /does not say where the tools/)
  await refused({ prompt: '{{tols}}' }, /\{\{tols\}\} is not a placeholder/)
  await refused({ language: 'de' }, /^Unknown language "de"/)
  await refused({ compat: 'deep-search' }, /^Unknown compat "deep-search"\. Did you mean "deep-research"/)
  await refused({ compat: 'deep-research', protocol: 'native' }, /is for the protocol tagged, not for native/)
})

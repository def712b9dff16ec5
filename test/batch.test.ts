import assert from 'node:assert/strict'
import { mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { describe, test } from 'node:test'
import { setTimeout as wait } from 'node:timers/promises'
import type { RolloutEnd } from '../src/batch/run-batch.ts'
import { isJsonObject, type Json } from '../src/core/json.ts'
import { totalTokens } from '../src/core/usage.ts'
import { openBatchBench } from './support/batch.ts'
import { type ChatRequest, startChatServer } from './support/chat-server.ts'
import { evaluateFolder } from './support/deep-research-evaluation.ts'
import { sendJson, serveWeb } from './support/web-server.ts'

const questions = (count: number) =>
  Array.from({ length: count }, (_, at) => ({ question: `What is ${at} + 1?`, answer: `${at + 1}` }))

interface Said {
  readonly role: string
  readonly content: string
}

const messagesIn = ({ body }: ChatRequest): Said[] => {
  const { messages } = body as unknown as { readonly messages: readonly Json[] }
  return messages.filter(isJsonObject).map(({ role, content }) => ({ role: String(role), content: String(content) }))
}

const questionIn = (request: ChatRequest): string => messagesIn(request)[1]?.content ?? ''
const numberIn = (request: ChatRequest): number => Number(/What is (\d+)/.exec(questionIn(request))?.[1])

const USAGE = { inputFresh: 100, output: 10 }
/** Adds one, as it is asked to. */
const adding = (request: ChatRequest) => ({ text: `${numberIn(request) + 1}`, usage: USAGE })

describe('batch', { concurrency: 2 }, () => {
  test('three rollouts of twelve items are what the evaluation of the original reads: files, fields, tags, positions', async (context) => {
    const web = await serveWeb(context, (_, response) =>
      sendJson(response, { results: [{ title: 'Sums', url: 'https://example.com/', content: 'Add them.' }] }),
    )
    await using service = await startChatServer((request) => {
      const [n, turn] = [numberIn(request), messagesIn(request).length]
      const searching = '<tool_call>\n{"name": "search", "arguments": {"query": ["sums"]}}\n</tool_call>'
      if (turn === 2) return { text: `<think>\nI look.\n</think>\n${searching}`, usage: USAGE }
      if (n === 11) return { text: '<think>\nNo idea.\n</think>', usage: USAGE }
      return { text: `<think>\nI know.\n</think>\n<answer>${n === 10 ? 'eleven' : n + 1}</answer>`, usage: USAGE }
    })
    const task = 'task: "{{question}}"\ntools: [search]\nlimits: { modelCalls: 3 }\n'
    const rows = questions(12)
    using bench = openBatchBench({ rows, url: service.url, task, environment: { SEARXNG_URL: web.origin } })
    const end = await bench.run({ rollouts: 3, concurrency: 6, overrides: { compat: 'deep-research' } })
    assert.deepEqual([end.total, end.done, end.failed], [36, 36, 0])
    const round = {
      ...{ questions: 12, invalid: 1, toolCalls: 12, searches: 12, visits: 0, otherCalls: 0, found: 12, correct: 10 },
      answerCharacters: 9 + '10'.length + 'eleven'.length,
      terminations: { answer: 11, 'exceed available llm calls': 1 },
    }
    assert.deepEqual(evaluateFolder(join(bench.folder, 'out')), [round, round, round])
    const [first] = bench.records('out/iter1.jsonl').filter(({ answer }) => answer === '1')
    assert.deepEqual(
      first?.messages.map(({ role, content }) => [role, content.slice(0, 14)]),
      [
        ['system', 'You are a rese'],
        ['user', 'What is 0 + 1?'],
        ['assistant', '<think>\nI look'],
        ['user', '<tool_response'],
        ['assistant', '<think>\nI know'],
      ],
    )
    assert.match(first?.messages[3]?.content ?? '', /Sums[\s\S]*Add them\.[\s\S]*<\/tool_response>$/)
    assert.deepEqual([first?.prediction, first?.termination, first?.outcome?.status], ['1', 'answer', 'answered'])
  })

  test('a run over another protocol is recorded in the same layout, and its answer stands in tags', async () => {
    await using service = await startChatServer((request, n) =>
      n === 0
        ? { text: 'I look.', calls: [{ id: 'c', name: 'absent', arguments: { a: 1 } }], usage: USAGE }
        : { ...adding(request), reasoning: 'I know.' },
    )
    using bench = openBatchBench({ rows: questions(1), url: service.url })
    await bench.run()
    const [record] = bench.records()
    assert.deepEqual(
      record?.messages.slice(2).map(({ role, content }) => [role, content.split('\n').slice(0, 5)]),
      [
        ['assistant', ['<think>', 'I look.', '</think>', '<tool_call>', '{"name": "absent", "arguments": {"a":1}}']],
        [
          'user',
          ['<tool_response>', 'There is no tool "absent". There are none. Nothing was run.', '</tool_response>'],
        ],
        ['assistant', ['<think>', 'I know.', '</think>', '<answer>', '1']],
      ],
    )
  })

  test('each rollout is an ordinary run in the journal, and its record says which', async () => {
    await using service = await startChatServer(adding)
    using bench = openBatchBench({ rows: questions(3), url: service.url })
    const { tokens } = await bench.run({ rollouts: 2 })
    const records = [...bench.records(), ...bench.records('out/rollout-2.jsonl')]
    assert.ok(tokens > 0, 'estimated where the service does not say them')
    assert.equal(
      tokens,
      records.reduce((sum, { outcome }) => sum + (outcome === undefined ? 0 : totalTokens(outcome.usage)), 0),
    )
    assert.equal(new Set(records.map(({ run }) => run)).size, 6)
    for (const { run, outcome, question } of records) {
      const events = await bench.eventsOf(run)
      const [started, ended] = [events[0], events.at(-1)]
      assert.ok(started?.kind === 'run.started' && ended?.kind === 'run.ended')
      assert.deepEqual([started.task, JSON.parse(JSON.stringify(ended.outcome))], [question, outcome])
    }
  })

  // https://github.com/NousResearch/hermes-agent/issues/93527 and https://github.com/SWE-agent/mini-swe-agent/issues/171
  test('whatever is wrong with a row, it ends in one record that says so, and the others go on', async () => {
    await using service = await startChatServer((request) =>
      numberIn(request) === 1 ? { error: { status: 400, body: 'no such thing' } } : adding(request),
    )
    const rows = [...questions(3), 'no json', { answer: '1' }, { id: 'f', question: 'What?', files: ['absent.txt'] }]
    using bench = openBatchBench({ rows, url: service.url })
    const end = await bench.run()
    assert.deepEqual([end.done, end.failed], [6, 4])
    const records = bench.records()
    const failed = records.filter(({ error }) => error !== undefined)
    assert.deepEqual(records.map(({ prediction }) => prediction).sort(), ['1', '3', 'No answer found.', ...FAILED])
    const errors = failed.map(({ error }) => error ?? '').sort()
    for (const [at, pattern] of [
      /no such thing|400/,
      /absent\.txt/,
      /^line 4 .*no JSON/,
      /^line 5 .*no question/,
    ].entries())
      assert.ok(
        errors.some((error) => pattern.test(error)),
        `${at}: ${errors}`,
      )
    for (const { termination, messages } of failed)
      assert.deepEqual([termination, Array.isArray(messages)], ['answer not found', true])
    // https://github.com/NousResearch/hermes-agent/issues/86523
    const again = await bench.run({ mode: 'resume' })
    assert.deepEqual([again.before, again.done, bench.records().length], [6, 0, 6])
    const retried = await bench.run({ mode: 'retry' })
    assert.deepEqual([retried.before, retried.done, bench.records().length], [2, 4, 6])
  })

  test('all parts of a dataset together are the whole: the same items, each once', async () => {
    await using service = await startChatServer(adding)
    const rows = [...questions(7), ...questions(2)]
    using bench = openBatchBench({ rows, url: service.url })
    await bench.run({ out: 'whole' })
    const parts: string[] = []
    for (const number of [1, 2, 3]) {
      await bench.run({ out: 'parts', shard: { number, of: 3 } })
      parts.push(...idsAndAnswers(bench.records(`parts/rollout-1-part-${number}-of-3.jsonl`)))
    }
    assert.deepEqual(parts.sort(), idsAndAnswers(bench.records('whole/rollout-1.jsonl')).sort())
    assert.equal(new Set(parts).size, 9)
  })

  test('rows take turns at the servers of a pool, and each stays with its own', async () => {
    await using one = await startChatServer(adding)
    await using two = await startChatServer(adding)
    using bench = openBatchBench({ rows: questions(6), url: one.url })
    await bench.run({ endpoints: [one.url, two.url], rollouts: 2 })
    const askedAt = (server: typeof one) => server.requests.map(numberIn).sort()
    assert.deepEqual(
      [askedAt(one), askedAt(two)],
      [
        [0, 0, 2, 2, 4, 4],
        [1, 1, 3, 3, 5, 5],
      ],
    )
  })

  test('the files of an item are what its run works on, and nothing beside them', async () => {
    await using service = await startChatServer(() => ({ text: 'Read.', usage: USAGE }))
    const rows = [
      { question: 'What?', files: ['a.txt'] },
      { question: 'And?', files: ['../secret.txt'] },
    ]
    using bench = openBatchBench({ rows, url: service.url })
    mkdirSync(join(bench.folder, 'file_corpus'))
    for (const path of ['file_corpus/a.txt', 'file_corpus/b.txt', 'secret.txt'])
      writeFileSync(join(bench.folder, path), 'x')
    await bench.run()
    const [stolen, read] = bench.records().toSorted((a, b) => (a.error ?? 'z').localeCompare(b.error ?? 'z'))
    assert.match(stolen?.error ?? '', /\.\.\/secret\.txt lies outside/)
    assert.equal(read?.messages[1]?.content, "(Uploaded 1 file: ['a.txt'])\n\nWhat?")
    const [started] = await bench.eventsOf(read?.run)
    assert.ok(started?.kind === 'run.started' && started.workspace !== undefined)
    assert.deepEqual(readdirSync(started.workspace.copy), ['a.txt'])
  })

  test('at its cost limit a batch stops where it stands, and goes on with the same runs when there is more', async () => {
    await using service = await startChatServer(adding)
    const task = `model: openai-compatible/m\nprice: { input: 1000, cachedInput: 1, output: 1000 }\n${PLAIN}`
    using bench = openBatchBench({ rows: questions(5), url: service.url, task })
    const most = { limits: { cost: 0.2 }, concurrency: 1, overrides: {} }
    const end = await bench.run(most)
    assert.deepEqual([end.stopped, end.cost?.toFixed(2)], ['cost', '0.22'])
    const between = bench.records().length
    assert.ok(between < 5 && end.done + end.parked === 2, `${between} records`)
    assert.equal((await bench.run({ ...most, mode: 'resume' })).done, 0)
    const rest = await bench.run({ ...most, limits: {}, mode: 'resume' })
    assert.deepEqual([rest.before, rest.done, rest.stopped], [between, 5 - between, undefined])
    assert.equal(service.requests.length, 5 + end.parked)
    await assert.rejects(
      bench.run({ limits: { cost: 1 }, out: 'other', overrides: { model: 'openai-compatible/n' } }),
      {
        code: 'price',
      },
    )
  })

  test('at its time limit what runs is parked, and taken up when the batch goes on', async () => {
    let isSlow = true
    await using service = await startChatServer((request) => ({ ...adding(request), delayMs: isSlow ? 60_000 : 0 }))
    using bench = openBatchBench({ rows: questions(3), url: service.url })
    const end = await bench.run({ concurrency: 2, limits: { time: 50 } })
    assert.deepEqual([end.stopped, end.done, end.parked], ['time', 0, 2])
    isSlow = false
    assert.equal((await bench.run({ mode: 'resume' })).done, 3)
    assert.deepEqual(
      bench
        .records()
        .map(({ prediction }) => prediction)
        .sort(),
      ['1', '2', '3'],
    )
  })

  test('asked to finish, it begins nothing more and finishes what runs', async () => {
    const finishing = new AbortController()
    await using service = await startChatServer(async (request) => {
      finishing.abort()
      await wait(20)
      return adding(request)
    })
    using bench = openBatchBench({ rows: questions(6), url: service.url })
    const ends: RolloutEnd[] = []
    const end = await bench.run({
      concurrency: 2,
      parts: { finishing: finishing.signal, onRollout: (each) => ends.push(each) },
    })
    assert.deepEqual([end.stopped, end.done, end.running], ['finished early', 2, 0])
    assert.deepEqual(
      ends.map(({ kind }) => kind),
      ['recorded', 'recorded'],
    )
    assert.equal((await bench.run({ mode: 'resume' })).done, 4)
    assert.equal(new Set(bench.records().map(({ id }) => id)).size, 6)
  })

  test('a rollout that waits for a person has no record, and goes on waiting', async (context) => {
    const web = await serveWeb(context, (_, response) => sendJson(response, { results: [] }))
    await using service = await startChatServer((_, n) => ({
      calls: [{ id: `c${n}`, name: 'search', arguments: { query: [`something else ${n}`] } }],
      usage: USAGE,
    }))
    const task = 'task: "{{question}}"\ntools: [search]\npolicy: careful.yaml\n'
    using bench = openBatchBench({
      rows: questions(1),
      url: service.url,
      task,
      environment: { SEARXNG_URL: web.origin },
    })
    writeFileSync(join(bench.folder, 'careful.yaml'), CAREFUL)
    assert.equal((await bench.run()).waiting, 1)
    const again = await bench.run({ mode: 'resume' })
    assert.deepEqual([again.waiting, again.done, bench.records().length], [1, 0, 0])
    assert.deepEqual([service.requests.length, web.asked.length], [2, 1])
  })

  test('what cannot work is refused before anything is run', async () => {
    await using service = await startChatServer(adding)
    using bench = openBatchBench({ rows: questions(1), url: service.url, task: 'task: Do it.\ntools: []\n' })
    await assert.rejects(bench.run(), { code: 'usage', fix: /\{\{question\}\}/ })
    await assert.rejects(bench.run({ task: 'absent' }), { code: 'task-file' })
    await assert.rejects(bench.run({ dataset: 'absent.jsonl' }), {
      code: 'dataset',
      message: /absent\.jsonl cannot be read/,
    })
    await assert.rejects(bench.run({ dataset: 'ask.task.yaml' }), { code: 'dataset', fix: /\*\.jsonl/ })
    assert.deepEqual(readdirSync(bench.folder).sort(), ['ask.task.yaml', 'q.jsonl'])
  })

  // https://github.com/miclaldogan/bantzv2/issues/511
  test('results made with another model, task or number of parts are not gone on with', async () => {
    await using service = await startChatServer(adding)
    using bench = openBatchBench({ rows: questions(1), url: service.url })
    await bench.run()
    for (const [wish, what] of [
      [{ overrides: { model: 'openai-compatible/other' } }, /another model/],
      [{ overrides: { limits: { modelCalls: 2 } } }, /another task/],
      [{ shard: { number: 1, of: 2 } }, /another number of parts/],
    ] as const)
      await assert.rejects(bench.run({ ...wish, mode: 'resume' }), { code: 'results', message: what })
  })
})

/** Once something was read, searches for what the user has not typed only when somebody says so. */
const CAREFUL = `tools:
  search:
    effects: [read, egress]
    marks: [untrusted]
    args:
      query: { role: sink, type: { list: { text: 400 }, max: 10, alone: true } }
    runs:
      - { args: { query: [Oslo] }, words: Oslo, marks: [untrusted] }
    asks:
      - { args: { query: [Oslo] }, words: Bergen, marks: [untrusted] }
    denies:
      - { args: { query: 7 } }
`

const PLAIN = 'task: "{{question}}"\ntools: []\n'
const FAILED = ['[Failed]', '[Failed]', '[Failed]']

const idsAndAnswers = (records: readonly { readonly id: string; readonly prediction: string }[]): string[] =>
  records.map(({ id, prediction }) => `${id} ${prediction}`)

describe('the preset research', () => {
  const request = async (overrides: object) => {
    await using service = await startChatServer(() => ({ text: '<answer>4</answer>', usage: USAGE }))
    using bench = openBatchBench({ rows: [{ question: 'Where is Oslo?' }], url: service.url })
    await bench.run({ task: 'research', overrides: { tools: [], ...overrides } })
    const [sent] = service.requests
    assert.ok(sent !== undefined)
    const [started] = await bench.eventsOf([...bench.records(), ...bench.records('out/iter1.jsonl')][0]?.run)
    assert.ok(started?.kind === 'run.started')
    return { sent, started, messages: messagesIn(sent) }
  }

  test('it has the limits and the sampling of the original, and the date in the first user message', async () => {
    const { sent, started, messages } = await request({})
    const { temperature, top_p, presence_penalty, max_tokens, stop } = sent.body
    assert.deepEqual([temperature, top_p, presence_penalty, max_tokens], [0.6, 0.95, 1.1, 10_000])
    assert.deepEqual(stop, ['\n<tool_response>', '<tool_response>'])
    const { modelCalls, wallTime, contextTokens } = started.limits
    assert.deepEqual([modelCalls, wallTime, contextTokens], [100, 150 * 60_000, 112_640])
    assert.match(messages[1]?.content ?? '', /^Where is Oslo\?\n\nCurrent date: \d{4}-\d\d-\d\d$/)
    assert.doesNotMatch(messages[0]?.content ?? '', /Current date/)
  })

  test('with compat the date is where the original has it, and the question stands alone', async () => {
    const { messages } = await request({ compat: 'deep-research' })
    assert.equal(messages[1]?.content, 'Where is Oslo?')
    assert.match(messages[0]?.content ?? '', /\nCurrent date: \d{4}-\d\d-\d\d$/)
  })
})

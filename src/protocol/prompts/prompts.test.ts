import assert from 'node:assert/strict'
import { test } from 'node:test'
import { LANGUAGES, type Language } from '../../core/language.ts'
import { placeholdersIn } from '../../core/template.ts'
import { agentCallsIn } from '../agent-calls.ts'
import { deepResearchIn } from '../deep-research.ts'
import { nativeIn } from '../native.ts'
import { callsIn, parsedBy } from '../protocol.contract.ts'
import type { Protocol } from '../protocol.ts'
import { taggedIn } from '../tagged.ts'
import { thoughtActionIn } from '../thought-action.ts'
import { loadPrompts } from './load.ts'
import type { Prompts } from './prompts.ts'

const ALL: ReadonlyMap<Language, Prompts> = new Map(
  await Promise.all(LANGUAGES.map(async (language) => [language, await loadPrompts(language)] as const)),
)
const IN_TEXT = [taggedIn, thoughtActionIn, agentCallsIn]
const look = { name: 'look', description: 'Looks.', parameters: { type: 'object' } }

/** The two replies that a prompt shows: a paragraph each, the call to a weather report and the answer made of it. */
function examplesIn(protocol: Protocol): { readonly call: string; readonly answer: string } {
  const paragraphs = protocol.form([look]).split('\n\n')
  return {
    call: paragraphs.find((each) => each.includes('weather')) ?? '',
    answer: paragraphs.findLast((each) => each.includes('4 °C')) ?? '',
  }
}

/** The texts with nothing left of them but their placeholders. */
function placesIn(value: unknown): unknown {
  if (typeof value === 'string') return placeholdersIn(value).sort()
  if (Array.isArray(value)) return 'a list'
  return Object.fromEntries(Object.entries(value as object).map(([key, inner]) => [key, placesIn(inner)]))
}

for (const [language, prompts] of ALL) {
  for (const protocolIn of IN_TEXT) {
    const protocol = protocolIn(prompts)
    test(`${protocol.name} in ${language}: the example in the prompt is read as the call and the answer that it shows`, () => {
      const { call, answer } = examplesIn(protocol)
      const [[name, input] = []] = callsIn(parsedBy(protocol, { text: call }))
      assert.equal(name, 'weather', call)
      assert.deepEqual(Object.keys(input ?? {}), ['city'])
      const claim = parsedBy(protocol, { text: answer })
      assert.match(claim.kind === 'claim' ? claim.answer : `not an answer: ${answer}`, /^[^\n]* 4 °C[^\n]*[.。]$/)
    })

    test(`${protocol.name} in ${language}: what is expected after a malformed reply is a part of the prompt`, () => {
      const parsed = parsedBy(protocol, { text: '' })
      const [, expected = ''] = (parsed.kind === 'malformed' ? parsed.observation : '').split(/\n\n([\s\S]*)/)
      assert.ok(expected.length > 50 && protocol.form([look]).includes(expected), expected)
    })

    test(`${protocol.name} in ${language}: tools are listed one a line, and their absence is said`, () => {
      assert.match(protocol.listTools([look, look]), /\n(\{"name":"look".*\n?){2}/)
      assert.equal(protocol.listTools([]), prompts.noTools)
    })
  }

  test(`thought-action in ${language}: a result carries the label, and no label of a result is ever read`, () => {
    const protocol = thoughtActionIn(prompts)
    const { observation } = prompts.thoughtAction
    const call = { id: 'a', name: 'look', arguments: '{}' }
    assert.deepEqual(protocol.render({ role: 'observation', text: 'seen', call }, []), {
      role: 'user',
      text: `${observation}: seen`,
    })
    assert.ok(protocol.stop.includes(`${observation}:`) && protocol.stop.length <= 4)
    for (const stop of [...ALL.values()].flatMap((each) => each.thoughtAction.stop)) {
      const parsed = parsedBy(protocol, { text: `Action: {"name": "look"}\n${stop} seen\nAction: {"name": "change"}` })
      assert.deepEqual(callsIn(parsed), [['look', {}]], stop)
      assert.ok(!parsed.text.includes(stop))
    }
  })

  test(`in ${language} everything is said that is said in English, with the same placeholders`, () => {
    assert.deepEqual(placesIn(prompts), placesIn(ALL.get('en')))
  })

  test(`in ${language} a model hears about a reply that was cut off in that language, over every protocol`, () => {
    for (const protocolIn of [nativeIn, ...IN_TEXT, deepResearchIn]) {
      const parsed = parsedBy(protocolIn(prompts), { text: 'x', finish: 'length' })
      assert.equal(parsed.kind === 'malformed' && parsed.observation, prompts.incomplete.length)
    }
  })
}

test('people read problems in English, whatever the model is spoken to in', async () => {
  const parsed = parsedBy(agentCallsIn(await loadPrompts('zh')), { text: '你好' })
  assert.ok(parsed.kind === 'malformed')
  assert.equal(parsed.problem, 'The reply is no JSON object.')
  assert.match(parsed.observation, /^没有执行任何操作。回复不是 JSON 对象。请/)
})

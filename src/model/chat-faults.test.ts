import { called, chunk, DONE, event, message, stream, testFaults, text } from './chat-faults.contract.ts'

testFaults([
  {
    what: 'arguments as an object',
    whole: message({ tool_calls: called({ path: 'a' }) }, 'tool_calls'),
    streamed: stream(chunk({ tool_calls: [{ index: 0, ...called({ path: 'a' })[0] }] }), chunk({}, 'tool_calls'), DONE),
    reply: { calls: [{ id: 'c1', name: 'f', arguments: '{"path":"a"}' }], finish: 'calls' },
  },
  {
    what: 'no arguments at all',
    whole: message({ content: null, tool_calls: called(null) }, 'tool_calls'),
    streamed: stream(chunk({ tool_calls: called(undefined) }), chunk({}, 'tool_calls'), DONE),
    reply: { text: '', calls: [{ id: 'c1', name: 'f', arguments: '' }], finish: 'calls' },
  },
  {
    what: 'a call without an id, or with a blank one',
    whole: message({ tool_calls: called('{}', { id: ' ' }) }, 'tool_calls'),
    streamed: stream(chunk({ tool_calls: called('{}', { index: 0 }) }), chunk({}, 'tool_calls'), DONE),
    reply: { calls: [{ name: 'f', arguments: '{}' }] },
  },
  {
    what: 'two calls with one id',
    whole: message({ tool_calls: [...called('{"a":1}'), ...called('{"a":2}')] }, 'tool_calls'),
    reply: {
      calls: [
        { id: 'c1', name: 'f', arguments: '{"a":1}' },
        { id: 'c1', name: 'f', arguments: '{"a":2}' },
      ],
    },
  },
  {
    what: 'a call in the old form',
    whole: message({ content: null, function_call: { name: 'f', arguments: '{}' } }, 'function_call'),
    streamed: stream(
      chunk({ function_call: { name: 'f', arguments: '{' } }),
      chunk({ function_call: { arguments: '}' } }),
      chunk({}, 'function_call'),
    ),
    reply: { calls: [{ name: 'f', arguments: '{}' }], finish: 'calls' },
  },
  {
    what: 'content as a list of parts',
    whole: message({ content: [{ type: 'text', text: 'a' }, { type: 'image' }, { type: 'text', text: 'b' }] }),
    streamed: stream(
      chunk({ content: [{ type: 'text', text: 'a' }] }),
      chunk({ content: [{ text: 'b' }] }, 'stop'),
      DONE,
    ),
    reply: { text: 'ab', calls: [], finish: 'stop' },
  },
  {
    what: 'reasoning under its other name',
    whole: message({ content: 'a', reasoning: 'why' }),
    streamed: stream(chunk({ reasoning: 'wh' }), chunk({ reasoning: 'y' }), chunk({ content: 'a' }, 'stop'), DONE),
    reply: { text: 'a', reasoning: 'why' },
  },
  {
    what: 'a refusal',
    whole: message({ content: null, refusal: 'I cannot help with that.' }),
    streamed: stream(chunk({ refusal: 'I cannot ' }), chunk({ refusal: 'help with that.' }), chunk({}, 'stop'), DONE),
    reply: { text: 'I cannot help with that.', finish: 'filtered' },
  },
  {
    what: 'no finish reason, although the reply is whole',
    whole: message({ content: 'a' }, null),
    streamed: stream(chunk({ content: 'a' }), DONE),
    reply: { text: 'a', finish: 'other' },
  },
  {
    // https://github.com/NousResearch/hermes-agent/pull/83882
    what: 'a finish reason nobody knows',
    whole: message({ content: 'a' }, 'MALFORMED_FUNCTION_CALL'),
    streamed: stream(chunk({ content: 'a' }, 'MALFORMED_FUNCTION_CALL'), DONE),
    reply: { finish: 'other' },
  },
  {
    // https://github.com/NousResearch/hermes-agent/pull/81017
    what: 'a stream that is cut after the name of a tool',
    streamed: stream(chunk({ tool_calls: [{ index: 0, id: 'c1', function: { name: 'write_file' } }] })),
    reply: { finish: 'broken', calls: [{ id: 'c1', name: 'write_file', arguments: '' }] },
  },
  {
    what: 'a stream that is cut in the middle of an event',
    streamed: stream(chunk({ content: 'a' }), chunk({ content: 'b' }).slice(0, -15)),
    reply: { finish: 'broken', text: 'a' },
  },
  {
    what: 'a stream whose connection breaks when all that matters is there',
    streamed: { ...stream(chunk({ content: 'a' }, 'stop')), ends: 'reset' },
    reply: { finish: 'stop', text: 'a' },
  },
  {
    // https://github.com/janfeddersen-wq/serdesAI/pull/51
    what: 'a stream without the end mark',
    streamed: stream(chunk({ content: 'a' }), chunk({}, 'stop')),
    reply: { finish: 'stop', text: 'a' },
  },
  {
    what: 'a last event without its blank line',
    streamed: stream(chunk({ content: 'a' }), chunk({ content: 'b' }, 'stop').trimEnd()),
    reply: { finish: 'stop', text: 'ab' },
  },
  {
    what: 'an end mark without its blank line',
    streamed: stream(chunk({ content: 'a' }, 'length'), 'data: [DONE]'),
    reply: { finish: 'length', text: 'a' },
  },
  {
    what: 'a stream that goes on after its end mark',
    streamed: { ...stream(chunk({ content: 'a' }, 'stop'), DONE, chunk({ content: 'b' })), ends: 'hang' },
    reply: { finish: 'stop', text: 'a' },
  },
  {
    // https://github.com/kyegomez/swarms/issues/2159
    what: 'usage in a last event without choices',
    streamed: stream(
      chunk({ content: 'a' }, 'stop'),
      event({ choices: [], usage: { prompt_tokens: 9, completion_tokens: 2 } }),
      DONE,
    ),
    reply: { usage: { inputFresh: 9, inputCached: 0, inputCacheWritten: 0, output: 2, reasoning: 0 } },
  },
  {
    what: 'an empty finish reason with every piece',
    streamed: stream(chunk({ content: 'a' }, ''), chunk({ content: 'b' }, ''), chunk({}, 'stop'), DONE),
    reply: { finish: 'stop', text: 'ab' },
  },
  {
    what: 'the whole message once more at the end',
    streamed: stream(
      chunk({ content: 'ab' }),
      event({ choices: [{ message: { role: 'assistant', content: 'ab' }, finish_reason: 'stop' }] }),
      DONE,
    ),
    reply: { finish: 'stop', text: 'ab' },
  },
  {
    what: 'a whole reply to a request for a stream',
    streamed: message({ content: 'a' }),
    reply: { finish: 'stop', text: 'a' },
  },
  {
    what: 'a stream without its content type',
    streamed: text(chunk({ content: 'a' }, 'stop') + DONE, 200, 'text/plain'),
    reply: { finish: 'stop', text: 'a' },
  },
  {
    what: 'a stream in reply to a request for a whole reply',
    whole: stream(chunk({ content: 'a' }, 'stop'), DONE),
    reply: { finish: 'stop', text: 'a' },
  },
])

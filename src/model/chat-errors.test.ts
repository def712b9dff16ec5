import { both, chunk, DONE, event, HTML, message, stream, testFaults, text } from './chat-faults.contract.ts'

testFaults([
  {
    what: 'a service that ran out of machines in mid-reply',
    whole: message({ content: 'a' }, 'insufficient_system_resource'),
    streamed: stream(chunk({ content: 'a' }), chunk({}, 'insufficient_system_resource')),
    error: { kind: 'overloaded', says: /insufficient_system_resource/ },
  },
  {
    // https://github.com/BerriAI/litellm/pull/40864
    what: 'no choices',
    whole: text('{"id":"x","choices":[]}'),
    streamed: stream(event({ choices: [] }), DONE),
    error: { kind: 'unreadable', says: /without a message/, body: /choices/ },
  },
  {
    what: 'an error under status 200',
    ...both(text('{"error":{"message":"model is loading","type":"invalid_request_error"}}')),
    error: { kind: 'refused', says: /model is loading/, body: /invalid_request_error/ },
  },
  {
    what: 'an error as a plain text under status 200',
    ...both(text('{"error":"no such adapter"}')),
    error: { kind: 'refused', says: /no such adapter/ },
  },
  {
    // https://github.com/justrach/codegraff/issues/748
    what: 'an error event as the only event',
    streamed: stream(event({ error: { type: 'invalid_request_error', message: 'bad tools' } })),
    error: { kind: 'refused', says: /bad tools/ },
  },
  {
    what: 'an error event in mid-stream, and more after it',
    streamed: stream(
      chunk({ content: 'a' }),
      event({ error: { code: 503, message: 'upstream died' } }),
      chunk({}, 'stop'),
      DONE,
    ),
    error: { kind: 'overloaded', says: /upstream died/ },
  },
  {
    what: 'an event named error',
    streamed: stream(chunk({ content: 'a' }), `event: error\n${event({ message: 'server overloaded' })}`),
    error: { kind: 'overloaded', says: /server overloaded/ },
  },
  {
    // https://github.com/EricLBuehler/mistral.rs/issues/1874
    what: 'an event that is not JSON on a stream that never ends',
    streamed: { ...stream(event('Number of choices must be greater than 0.')), ends: 'hang' },
    error: { kind: 'unreadable', says: /Number of choices/, body: /Number of choices/ },
  },
  {
    what: 'an empty body',
    ...both(text('')),
    error: { kind: 'unreadable', says: /answered nothing/, body: /^$/ },
  },
  {
    what: 'an empty stream',
    streamed: stream(': keep-alive\n\n'),
    error: { kind: 'unreadable', says: /answered/ },
  },
  {
    what: 'no JSON',
    ...both(text('all fine', 200, 'text/plain')),
    error: { kind: 'unreadable', says: /all fine/, body: /all fine/ },
  },
  { what: 'JSON that is no object', ...both(text('[1]')), error: { kind: 'unreadable', says: /no reply/ } },
  {
    what: 'HTML from a gateway',
    ...both(text(HTML, 502, 'text/html')),
    error: { kind: 'overloaded', says: /502: 502 Bad Gateway$/, body: /<h1>/ },
  },
  {
    what: 'a detail in place of an error',
    ...both(text('{"detail":[{"loc":["body"],"msg":"field required"}]}', 400)),
    error: { kind: 'refused', says: /400: field required/ },
  },
  {
    what: 'a wrong key',
    ...both(text('{"error":{"message":"Authentication Fails"}}', 401)),
    error: { kind: 'refused', says: /Authentication Fails/, fix: /TEST_API_KEY/ },
  },
  {
    what: 'a model that is not there',
    ...both(text('{"error":{"message":"model \'x\' not found"}}', 404)),
    error: { kind: 'refused', says: /not found/, fix: /model exists/ },
  },
  {
    what: 'an account without money',
    ...both(text('{"error":{"message":"Insufficient Balance"}}', 402)),
    error: { kind: 'refused', says: /Insufficient Balance/, fix: /credit/ },
  },
  {
    // https://github.com/NousResearch/hermes-agent/issues/36276
    what: 'a 429 for a quota that is used up',
    ...both(text('{"error":{"code":"insufficient_quota","message":"You exceeded your current quota"}}', 429)),
    error: { kind: 'refused', says: /quota/, fix: /credit/ },
  },
  {
    what: 'a 429 for too many requests',
    ...both(text('{"error":{"message":"Rate limit reached"}}', 429)),
    error: { kind: 'overloaded', says: /Rate limit/ },
  },
  {
    what: 'a stream whose connection breaks',
    streamed: { ...stream(chunk({ content: 'a' })), ends: 'reset' },
    error: { kind: 'unreachable', says: /broke/ },
  },
  {
    what: 'a whole reply that is cut by the connection',
    whole: { raw: ['{"choices":[{"mess'], ends: 'reset' },
    error: { kind: 'unreachable', says: /broke/ },
  },
  {
    what: 'a whole reply that is cut and ended',
    whole: text('{"choices":[{"mess'),
    error: { kind: 'unreadable', says: /no reply/, body: /mess/ },
  },
])

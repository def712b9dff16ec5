import assert from 'node:assert/strict'
import { test } from 'node:test'
import { agentCalls } from './agent-calls.ts'
import { native } from './native.ts'
import { type Fixture, readerContract } from './reader.contract.ts'
import { tagged } from './tagged.ts'
import { thoughtAction } from './thought-action.ts'

const LOOK = '{"name": "look", "arguments": {"n": [1, {"m": "}"}]}}'
const MARKS = '{"name": "look", "arguments": {"text": "</tool_call><answer>no</answer> \\" <think>"}}'

const TAGGED: readonly Fixture[] = [
  { what: 'prose alone is a thought', text: 'I will look. 😀', shown: { reasoning: 'I will look. 😀' } },
  {
    what: 'thoughts, then a call',
    text: `<think>\nLet me see.\n</think>\n<tool_call>\n${LOOK}\n</tool_call>`,
    shown: { reasoning: 'Let me see.', call: LOOK },
  },
  {
    what: 'several calls, also of two objects in one tag',
    text: `<tool_call>${LOOK}</tool_call> and <tool_call>${LOOK}\n{"name":"change"}</tool_call>`,
    shown: { call: `${LOOK}\n${LOOK}\n{"name":"change"}`, reasoning: 'and' },
  },
  {
    what: 'code in a tag of its own',
    text: '<tool_call>{"name":"python"}\n<code>\nprint("{<answer>")\n</code>\n</tool_call>\nNow wait.',
    shown: { call: '{"name":"python"}\nprint("{<answer>")', reasoning: 'Now wait.' },
  },
  {
    what: 'marks in the text of a call are its text',
    text: `<tool_call>${MARKS}</tool_call>`,
    shown: { call: MARKS },
  },
  {
    what: 'thoughts, then an answer with tags in it',
    text: '<think >a</think >\n<answer>\nIt is < 5 </think> <b>and</b> 😀\n</answer>\n',
    shown: { reasoning: 'a', answer: 'It is < 5 </think> <b>and</b> 😀' },
  },
  { what: 'an answer that is not closed', text: '<answer>Oslo</answ', shown: { answer: 'Oslo</answ' } },
  {
    what: 'thoughts whose opening tag the service kept',
    text: 'Perhaps.\n</think>\n<answer>Oslo</answer>',
    shown: { reasoning: 'Perhaps.', answer: 'Oslo' },
  },
  {
    what: 'calls and answers in thoughts are thoughts',
    text: `<think>I could do <tool_call>${LOOK}</tool_call> or <answer>5</answer></think><answer>6</answer>`,
    shown: { reasoning: `I could do <tool_call>${LOOK}</tool_call> or 5</answer></think><answer>6</answer>` },
  },
  {
    what: 'an answer behind a call is not shown as the answer',
    text: `<tool_call>${LOOK}</tool_call><answer>Done.</answer>`,
    shown: { call: LOOK, text: 'Done.' },
  },
  {
    what: 'an invented result',
    text: `<tool_call>${LOOK}</tool_call>\n<tool_response>\nfound 46\n</tool_response>\n<answer>46</answer>`,
    shown: { call: LOOK },
    kept: `<tool_call>${LOOK}</tool_call>`,
  },
  {
    what: 'an invented result without a line of its own, in the middle of a call',
    text: '<tool_call>{"name": "look"<tool_response>46',
    shown: { call: '{"name": "look"' },
    kept: '<tool_call>{"name": "look"',
  },
  {
    what: 'a beginning of the stop word that leaked',
    text: `<tool_call>${LOOK}</tool_call>\n<tool_respon`,
    shown: { call: LOOK },
    kept: `<tool_call>${LOOK}</tool_call>`,
  },
  {
    what: 'tags that turn out to be text',
    text: 'a <tool_responder> <tool_cal <thinker> < think> <answers>',
    shown: { reasoning: 'a <tool_responder> <tool_cal <thinker> < think> <answers>' },
  },
]

const THOUGHT_ACTION: readonly Fixture[] = [
  { what: 'prose alone is a thought', text: 'I will look. 😀', shown: { reasoning: 'I will look. 😀' } },
  {
    what: 'a thought and an action with its input',
    text: 'Thought: hm\nAction: look\nAction Input: {"n": 1}\n',
    shown: { reasoning: 'hm', call: 'look\n{"n": 1}' },
  },
  {
    what: 'an action in a fence, with labels in it',
    text: 'Action: ```json\n{"name": "look"}\nAction: change\n```\nThought: so',
    shown: { call: '```json\n{"name": "look"}\nAction: change\n```', reasoning: 'so' },
  },
  {
    what: 'only the first of several actions',
    text: 'Action: look\nThought: and\nAction: change\nFinal Answer: 5',
    shown: { call: 'look', reasoning: 'and', text: 'change\n5' },
  },
  {
    what: 'an answer of several lines',
    text: 'Thought: I know.\nFinal Answer: It is\n\nOslo: 5\n  Act now 😀\n',
    shown: { reasoning: 'I know.', answer: 'It is\n\nOslo: 5\n  Act now 😀' },
  },
  {
    what: 'bold and numbered labels, Russian, Chinese',
    text: '**Thought 2:** hm\n**Мысль:** да\n思考：看看\n**Final Answer**: Oslo',
    shown: { reasoning: 'hm\nда\n看看', answer: 'Oslo' },
  },
  {
    what: 'an invented observation',
    text: 'Thought: t\nAction: look\nObservation: 46\nFinal Answer: 46',
    shown: { reasoning: 't', call: 'look' },
    kept: 'Thought: t\nAction: look',
  },
  {
    what: 'an invented observation in bold, in a fence that is not closed',
    text: 'Action: look\n```\n{}\n**Наблюдение 1:** 46\n```\nFinal Answer: 46',
    shown: { call: 'look\n```\n{}' },
    kept: 'Action: look\n```\n{}',
  },
  {
    what: 'a numbered observation on the line of the action',
    text: 'Action 2: ask[the chief] Observation 2: The paper reads',
    shown: { call: 'ask[the chief]' },
    kept: 'Action 2: ask[the chief]',
  },
  {
    what: 'a beginning of the stop word that leaked',
    text: 'Action: look\nAction Input: {"q": "abc"}\nObserv',
    shown: { call: 'look\n{"q": "abc"}' },
    kept: 'Action: look\nAction Input: {"q": "abc"}',
  },
  {
    what: 'words that turn out to be no labels',
    text: 'Final Answer: one observation 1 is\nObservations: none\nActionable\n  Thoughtful: Observation',
    shown: { answer: 'one observation 1 is\nObservations: none\nActionable\n  Thoughtful: Observation' },
  },
]

const AGENT_CALLS: readonly Fixture[] = [
  { what: 'prose alone is a thought', text: 'I will look. 😀', shown: { reasoning: 'I will look. 😀' } },
  {
    what: 'a response without calls is the answer',
    text: 'Sure:\n{"response": "It is \\"Oslo\\".\\n😀", "agent_calls": []}',
    shown: { reasoning: 'Sure:', answer: 'It is "Oslo".\n😀' },
  },
  {
    what: 'a response beside calls is not shown',
    text: '{"response": "Done: {5}", "agent_calls": [{"agent": "/look", "args": {"n": [{}]}}, {"agent": "change"}]}',
    shown: { call: '{"agent": "/look", "args": {"n": [{}]}}\n{"agent": "change"}' },
  },
  {
    what: 'a hidden thought in the object is not shown',
    text: "```json\n{thought: 'agent_calls: [{1}]', agent_calls: [], 'response': 'Oslo'}\n```",
    shown: { reasoning: '```json\n```', answer: 'Oslo' },
  },
  { what: 'a response that was cut is not shown', text: '{"response": "It is Os', shown: {} },
  {
    what: 'calls in a nested object are none of the reply',
    text: '{"x": {"agent_calls": [{"agent": "look"}]}, "response": "5"}',
    shown: { answer: '5' },
  },
]

const NATIVE: readonly Fixture[] = [
  {
    // https://github.com/kdeps/kdeps/pull/806
    what: 'a result that the model invents behind a call in the text is not shown',
    text: `I look.\n<tool_call>${LOOK}</tool_call>\n<tool_response>{"ok": true}</tool_response>\nIt is done.`,
    shown: { text: `I look.\n<tool_call>${LOOK}</tool_call>` },
  },
  {
    what: 'a result before a call is a part of the text, and so is half a mark behind it',
    text: 'As <tool_response> says: [TOOL_CALLS][] <tool_resp',
    shown: { text: 'As <tool_response> says: [TOOL_CALLS][] <tool_resp' },
  },
  { what: 'text is text', text: ' It is\n<tool_response>5 😀 ', shown: { text: 'It is\n<tool_response>5 😀' } },
  { what: 'a tag that turns out to be text', text: '<thin>', shown: { text: '<thin>' } },
  {
    what: 'thoughts that the service left in the text',
    text: '\n<think>\na <think>b</think> < c\n</think>\n\nOslo </think>',
    shown: { reasoning: 'a b < c', text: 'Oslo </think>' },
  },
]

readerContract(tagged, TAGGED, [
  '<think>',
  '</think>',
  '<tool_call>',
  '</tool_call>',
  '{"name":"look"}',
  '<code>',
  '</code>',
  '<answer>',
  '</answer>',
  '<tool_response>',
  '<tool_',
  '<',
])
readerContract(thoughtAction, THOUGHT_ACTION, [
  '\nThought:',
  '\nAction: look',
  'Action Input: {}',
  '\nObservation:',
  ' Observation 1:',
  'Final Answer:',
  '\nObs',
  '**',
  '\n```',
  ':',
  '\nAction',
  '    ',
])
readerContract(agentCalls, AGENT_CALLS, [
  '{"response":"a"',
  ',"agent_calls":[',
  '{"agent":"look"}',
  ']}',
  '{response:',
  "'",
  '\\',
  ',',
  ':',
  'agent_calls',
  '[',
])
readerContract(native, NATIVE, ['<thin', '<tool_response>', 'Observation:'])

test('what is certain is shown at once; what may be a stop marker is held back and never shown', () => {
  const reader = tagged.openReader()
  assert.deepEqual(reader.push('<answer>It is Os'), [{ kind: 'answer', text: 'It is Os' }])
  assert.deepEqual(reader.push('lo <tool_resp'), [{ kind: 'answer', text: 'lo' }])
  assert.equal(reader.stopped, false)
  assert.deepEqual(reader.push('onse>46</answer>'), [])
  assert.equal(reader.stopped, true)
  assert.deepEqual(reader.push('<answer>46</answer>'), [])
  assert.deepEqual(reader.end(), [])
})

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { openTao, STEERS_TERMINAL } from '../support/tao-command.ts'

const CALL =
  '<think>I read it.</think>\n<tool_call>\n{"name": "read_file", "arguments": {"path": "a.txt"}}\n</tool_call>'
const INVENTED = '\n<tool_response>\nforty-six\n</tool_response>\n<answer>forty-six</answer>'

test('a run whose replies come in pieces looks like one of whole replies, and shows nothing the model went on to invent', async () => {
  await using tao = await openTao({ 'a.txt': 'one\n' })
  const model = await tao.script([{ text: CALL + INVENTED }, { text: '<answer>It says one.</answer>' }])
  const asked = ['run', 'What does it say?', '--workspace', 'project', '--protocol', 'tagged', ...model]
  const [whole, streamed] = [await tao.run(asked), await tao.run([...asked, '--stream'])]
  const bare = (text: string) =>
    text.replaceAll(/^run: .*$|\d+(\.\d+)? m?s\b|\brun \S+|-- (show|resume|diff|apply) \S+/gm, '…')
  assert.deepEqual([streamed.code, bare(streamed.stderr)], [0, bare(whole.stderr)])
  assert.match(streamed.stderr, /→ read_file \{"path":"a\.txt"\}\n {2}← ok .*one/)
  assert.match(streamed.stdout, /\n\nIt says one\.\n/)
  assert.doesNotMatch(streamed.stdout + streamed.stderr, /forty-six/)
  assert.doesNotMatch(streamed.stderr, STEERS_TERMINAL)
})

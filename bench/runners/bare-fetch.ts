// The floor: what one would write by hand in a quarter of an hour. It checks nothing, keeps nothing, retries nothing.
import { lookup, PARAMETERS, SYSTEM, TOOL } from '../work.ts'
import type { OpenAgent } from './runner.ts'

interface Call {
  readonly id: string
  readonly type: string
  readonly function: { readonly name: string; arguments: string }
}

interface Reply {
  readonly role: 'assistant'
  content: string | null
  tool_calls?: Call[]
}

const TOOLS = [{ type: 'function', function: { ...TOOL, parameters: PARAMETERS } }]
const HEADERS = { 'content-type': 'application/json', authorization: 'Bearer none' }

export const openAgent: OpenAgent = async ({ baseUrl, stream }) => {
  async function ask(messages: readonly object[]): Promise<Reply> {
    const body = JSON.stringify({ model: 'scripted', messages, tools: TOOLS, ...(stream ? { stream } : {}) })
    const response = await fetch(`${baseUrl}/chat/completions`, { method: 'POST', headers: HEADERS, body })
    if (stream && response.body !== null) return await readEvents(response.body)
    return JSON.parse(await response.text()).choices[0].message
  }

  async function run(task: string): Promise<string> {
    const messages: object[] = [
      { role: 'system', content: SYSTEM },
      { role: 'user', content: task },
    ]
    for (;;) {
      const reply = await ask(messages)
      messages.push(reply)
      if (reply.tool_calls === undefined) return reply.content ?? ''
      for (const call of reply.tool_calls) {
        const content = await lookup(JSON.parse(call.function.arguments))
        messages.push({ role: 'tool', tool_call_id: call.id, content })
      }
    }
  }

  return { run, close: async () => undefined }
}

async function readEvents(body: ReadableStream<Uint8Array>): Promise<Reply> {
  const reply: Reply = { role: 'assistant', content: null }
  const decoder = new TextDecoder()
  let left = ''
  for await (const chunk of body) {
    const lines = (left + decoder.decode(chunk, { stream: true })).split('\n')
    left = lines.pop() ?? ''
    for (const line of lines) if (line.startsWith('data: {')) addPiece(reply, JSON.parse(line.slice(6)))
  }
  return reply
}

interface Piece {
  readonly choices: readonly { readonly delta: { content?: string; tool_calls?: (Call & { index: number })[] } }[]
}

function addPiece(reply: Reply, { choices }: Piece): void {
  const delta = choices[0]?.delta
  if (delta?.content) reply.content = (reply.content ?? '') + delta.content
  for (const { index, ...piece } of delta?.tool_calls ?? []) {
    reply.tool_calls ??= []
    const known = reply.tool_calls[index]
    if (known === undefined) reply.tool_calls[index] = piece
    else known.function.arguments += piece.function.arguments
  }
}

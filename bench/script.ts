import { ANSWER, TOOL } from './work.ts'

/** What the scripted service says in one conversation. */
export interface Script {
  /** Replies that call the tool before the one that answers. */
  readonly rounds: number
  /** Bytes of text beside each call. */
  readonly text: number
}

const words = (length: number): string => 'so far so good '.repeat(length / 15 + 1).slice(0, length)
const USAGE = { prompt_tokens: 900, completion_tokens: 30, total_tokens: 930 }
const PIECE = { text: 20, arguments: 6 } as const

/** The body of the reply of one round, plain or as server-sent events. */
export function scriptedReply(script: Script, round: number, stream: boolean): Buffer {
  const isLast = round >= script.rounds
  const text = isLast ? `${ANSWER} ${words(390)}` : words(script.text)
  const call = isLast ? undefined : { id: `call_${round}`, arguments: JSON.stringify({ key: `entry-${round}` }) }
  const finish = isLast ? 'stop' : 'tool_calls'
  return Buffer.from(stream ? streamed(round, text, call, finish) : whole(round, text, call, finish))
}

interface Call {
  readonly id: string
  readonly arguments: string
}

function whole(round: number, text: string, call: Call | undefined, finish: string): string {
  const message = {
    role: 'assistant',
    content: text === '' ? null : text,
    ...(call === undefined ? {} : { tool_calls: [wireCall(call.id, call.arguments)] }),
  }
  const choices = [{ index: 0, message, finish_reason: finish }]
  return JSON.stringify({ ...head(round), object: 'chat.completion', choices, usage: USAGE })
}

function streamed(round: number, text: string, call: Call | undefined, finish: string): string {
  const event = (rest: object): string =>
    `data: ${JSON.stringify({ ...head(round), object: 'chat.completion.chunk', ...rest })}\n\n`
  const piece = (delta: object, reason: string | null = null): string =>
    event({ choices: [{ index: 0, delta, finish_reason: reason }] })
  const texts = piecesOf(text, PIECE.text).map((content) => piece({ content }))
  const begun = call === undefined ? [] : [piece({ tool_calls: [{ index: 0, ...wireCall(call.id, '') }] })]
  const rest = piecesOf(call?.arguments ?? '', PIECE.arguments).map((part) =>
    piece({ tool_calls: [{ index: 0, function: { arguments: part } }] }),
  )
  const all = [piece({ role: 'assistant', content: '' }), ...texts, ...begun, ...rest, piece({}, finish)]
  return `${all.join('')}${event({ choices: [], usage: USAGE })}data: [DONE]\n\n`
}

const head = (round: number) => ({ id: `reply-${round}`, created: 1_790_000_000, model: 'scripted' })

const wireCall = (id: string, text: string) => ({
  id,
  type: 'function',
  function: { name: TOOL.name, arguments: text },
})

const piecesOf = (text: string, size: number): string[] =>
  Array.from({ length: Math.ceil(text.length / size) }, (_, index) => text.slice(index * size, (index + 1) * size))

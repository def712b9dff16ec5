import type { EventSourceMessage, EventSourceParser } from 'eventsource-parser'
import { createParser } from 'eventsource-parser'
import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { Delta, Finish } from '../core/request.ts'
import type { Usage } from '../core/usage.ts'
import { CallAssembly } from './call-assembly.ts'
import type { Reading, ReplyParts } from './chat-choice.ts'
import { contentText, finishOf, firstChoice, reasoningText, refuseErrors, textOf, unreadable } from './chat-choice.ts'
import { readUsage } from './chat-usage.ts'
import type { Progress } from './http-post.ts'
import type { ModelError } from './model.ts'
import { serviceError } from './service-error.ts'
import { readWhole } from './whole.ts'

/** Reads a reply that comes as server-sent events. Belongs to one attempt: another one begins anew. */
export class StreamedReply {
  readonly #reading: Reading
  readonly #tell: (delta: Delta) => void
  readonly #parser: EventSourceParser
  readonly #calls = new CallAssembly()
  #text = ''
  #reasoning = ''
  #refusal = ''
  #finish: Finish | undefined
  #usage: Usage | undefined
  #hasChoice = false
  #isDone = false
  #isEnding = false
  /** Everything, until it is clear that these are events. */
  #raw = ''
  #isEvents = false

  constructor(reading: Reading, tell: (delta: Delta) => void) {
    this.#reading = reading
    this.#tell = tell
    this.#parser = createParser({ onEvent: (event) => this.#take(event) })
  }

  feed(text: string): Progress {
    if (!this.#isEvents) this.#raw += text
    this.#parser.feed(text)
    if (this.#isDone) return 'done'
    return this.#finish === undefined ? 'more' : 'last'
  }

  /** A finish reason or the end mark makes it whole; without either it is broken, whatever has come. */
  end(trouble?: ModelError): ReplyParts {
    const isWhole = this.#isDone || this.#finish !== undefined
    if (!isWhole && trouble !== undefined) throw trouble
    this.#isEnding = true
    this.#parser.feed('\n\n') // the last event counts even where its blank line is missing
    if (!this.#isEvents) return readWhole(this.#raw, this.#reading)
    if (!this.#hasChoice) throw unreadable(this.#reading.asked, 'without a message', this.#raw)
    return {
      text: this.#text || this.#refusal,
      ...(this.#reasoning === '' ? {} : { reasoning: this.#reasoning }),
      calls: this.#calls.calls(),
      finish: this.#refusal === '' ? (this.#finish ?? (this.#isDone ? 'other' : 'broken')) : 'filtered',
      ...(this.#usage === undefined ? {} : { usage: this.#usage }),
    }
  }

  #take({ data, event }: EventSourceMessage): void {
    if (this.#isDone) return
    this.#isEvents = true
    if (data.trim() === '[DONE]') {
      this.#isDone = true
      return
    }
    const { asked, price } = this.#reading
    const value = this.#parse(data)
    if (value === undefined) return
    if (event === 'error') throw serviceError({ status: 200, body: data }, asked)
    refuseErrors(value, data, asked)
    this.#usage = readUsage(value.usage, price) ?? this.#usage
    const choice = firstChoice(value)
    if (choice !== undefined) this.#takeChoice(choice)
  }

  #parse(data: string): JsonObject | undefined {
    let value: unknown
    try {
      value = JSON.parse(data)
    } catch {
      value = undefined
    }
    if (isJsonObject(value)) return value
    if (this.#isEnding) return undefined // cut in the middle of an event
    throw unreadable(this.#reading.asked, 'an event that is no part of a reply', data)
  }

  #takeChoice(choice: JsonObject): void {
    // Some services send a short reply as one whole message; after pieces, such a message would only repeat them.
    const delta = choice.delta ?? (this.#hasChoice ? undefined : choice.message)
    this.#hasChoice = true
    if (isJsonObject(delta)) this.#takeDelta(delta)
    const reason = textOf(choice.finish_reason)
    if (reason !== undefined) this.#finish = finishOf(reason)
  }

  #takeDelta(delta: JsonObject): void {
    const reasoning = reasoningText(delta)
    const text = contentText(delta.content)
    this.#reasoning += reasoning
    this.#text += text
    this.#refusal += contentText(delta.refusal)
    const calls = Array.isArray(delta.tool_calls) ? delta.tool_calls : []
    let call = calls.map((each) => (isJsonObject(each) ? this.#calls.add(each) : '')).join('')
    if (isJsonObject(delta.function_call)) call += this.#calls.add({ index: 0, function: delta.function_call })
    if (reasoning !== '') this.#tell({ kind: 'reasoning', text: reasoning })
    if (text !== '') this.#tell({ kind: 'text', text })
    if (call !== '') this.#tell({ kind: 'call', text: call })
  }
}

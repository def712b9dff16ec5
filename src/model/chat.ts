import { TaoError } from '../core/error.ts'
import type { Delta, Reply, Request } from '../core/request.ts'
import { ChatAnswer } from './chat-answer.ts'
import { chatBody } from './chat-body.ts'
import type { Timeouts } from './http-post.ts'
import { DEFAULT_TIMEOUTS, post } from './http-post.ts'
import type { AskOptions, Model } from './model.ts'
import type { Profile } from './profile.ts'

export interface ChatOptions {
  /** `provider/model`. */
  readonly name: string
  /** What the service calls the model. */
  readonly model: string
  /** Up to and without `/chat/completions`. */
  readonly baseUrl: string
  readonly apiKey?: string
  readonly profile: Profile
  readonly timeouts?: Partial<Timeouts>
}

/** A model behind a chat/completions service. One `ask` is one HTTP request. Throws a `TaoError` on a wrong address or key. */
export function chatModel(options: ChatOptions): Model {
  const { name, model, profile, apiKey } = options
  const url = chatUrl(options.baseUrl)
  const headers = chatHeaders(apiKey, profile)
  const timeouts = { ...DEFAULT_TIMEOUTS, ...options.timeouts }
  const price = profile.price?.(model)
  const asked = {
    name,
    keyVariable: profile.keyVariable,
    baseUrl: options.baseUrl,
    ...(apiKey === undefined ? {} : { secret: apiKey }),
  }

  async function ask(request: Request, { signal, onDelta }: AskOptions): Promise<Reply> {
    const started = performance.now()
    const { stream } = request.head
    const tell = (delta: Delta): void => {
      onDelta?.(delta)
      signal.throwIfAborted() // whoever hears a delta may have heard enough
    }
    const reader = new ChatAnswer({ reading: { asked, price }, stream, tell })
    const parts = await post({ name, url, headers, bytes: request.bytes, timeouts, signal, reader })
    return { ...parts, totalMs: performance.now() - started }
  }

  return {
    name,
    ...(price === undefined ? {} : { price }),
    openBody: (head) => chatBody(profile, model, head),
    ask,
  }
}

function chatUrl(baseUrl: string): URL {
  const url = URL.parse(baseUrl)
  if (url === null || !/^https?:$/.test(url.protocol))
    throw new TaoError('base-url', `"${baseUrl}" is not the address of a model service.`, {
      fix: 'Give an address like http://127.0.0.1:8000/v1.',
    })
  if (url.username !== '' || url.password !== '')
    throw new TaoError('base-url', `The address of the model service at ${url.host} holds a user name or a password.`, {
      fix: 'Give the key in its environment variable.',
    })
  url.pathname = `${url.pathname.replace(/(?:\/chat\/completions)?\/*$/, '')}/chat/completions`
  return url
}

function chatHeaders(apiKey: string | undefined, profile: Profile): Record<string, string> {
  const headers = { 'content-type': 'application/json', 'user-agent': 'tao' }
  if (apiKey === undefined) return headers
  if (!/^[\x21-\x7e]+$/.test(apiKey))
    throw new TaoError('api-key', 'The key is empty or holds spaces, line ends or characters that no key has.', {
      fix: `Set ${profile.keyVariable} again, without quotes and line ends.`,
    })
  return { ...headers, authorization: `Bearer ${apiKey}` }
}

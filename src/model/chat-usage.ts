import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { Usage } from '../core/usage.ts'
import type { Price } from './model.ts'
import { withCost } from './price.ts'

/**
 * The counts of a chat/completions reply, made disjoint. Undefined where the service did not say, which is not zero.
 * The cost is left out where the price is not known.
 */
export function readUsage(value: unknown, price: Price | undefined): Usage | undefined {
  if (!isJsonObject(value)) return undefined
  const input = count(value, 'prompt_tokens')
  const output = count(value, 'completion_tokens')
  if (input === undefined || output === undefined) return undefined
  const details = isJsonObject(value.prompt_tokens_details) ? value.prompt_tokens_details : {}
  const outputDetails = isJsonObject(value.completion_tokens_details) ? value.completion_tokens_details : {}
  const cached = Math.min(input, count(details, 'cached_tokens') ?? count(value, 'prompt_cache_hit_tokens') ?? 0)
  const written = Math.min(input - cached, count(details, 'cache_write_tokens') ?? 0)
  const usage: Usage = {
    inputFresh: input - cached - written,
    inputCached: cached,
    inputCacheWritten: written,
    output,
    reasoning: Math.min(output, count(outputDetails, 'reasoning_tokens') ?? 0),
  }
  return withCost(usage, price)
}

function count(from: JsonObject, key: string): number | undefined {
  const value = from[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

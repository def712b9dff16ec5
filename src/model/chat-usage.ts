import type { JsonObject } from '../core/json.ts'
import { isJsonObject } from '../core/json.ts'
import type { Usage } from '../core/usage.ts'
import type { Price } from './model.ts'

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
  const cost = costOf(usage, price)
  return cost === undefined ? usage : { ...usage, cost }
}

/** Writing to a cache has a price of its own, which `Price` does not hold: such a reply's cost is not known. */
function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (price === undefined || usage.inputCacheWritten > 0) return undefined
  return (usage.inputFresh * price.input + usage.inputCached * price.cachedInput + usage.output * price.output) / 1e6
}

function count(from: JsonObject, key: string): number | undefined {
  const value = from[key]
  return typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined
}

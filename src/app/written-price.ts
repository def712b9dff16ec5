import { TaoError } from '../core/error.ts'
import type { Price } from '../model/model.ts'

/** Three amounts with commas; `where` they are written is told with what is wrong. Throws a `TaoError`. */
export function priceIn(text: string, where: string): Price {
  const [input, cachedInput, output, ...more] = text.split(',').map(amountIn)
  if (input !== undefined && cachedInput !== undefined && output !== undefined && more.length === 0)
    return { input, cachedInput, output }
  throw new TaoError('usage', `${where} must be three amounts such as 0.28,0.028,0.42, not "${text}".`, {
    fix: 'They are US dollars for a million tokens: input, input from the cache of the service, output.',
  })
}

const amountIn = (text: string): number | undefined => (/^\s*\d+(\.\d+)?\s*$/.test(text) ? Number(text) : undefined)

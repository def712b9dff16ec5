import { TaoError } from '../core/error.ts'
import type { Usage } from '../core/usage.ts'
import type { Model, Price } from './model.ts'

/** The same model, whose price is known: a reply whose cost the service does not say gets one. */
export function priced<M extends Model>(model: M, price: Price): M {
  return {
    ...model,
    price,
    async ask(request, options) {
      const reply = await model.ask(request, options)
      const { usage } = reply
      return usage === undefined ? reply : { ...reply, usage: { ...withCost(usage, price), ...usage } }
    },
  } satisfies Model as M
}

/** The cost is left out where it is not known. */
export function withCost(usage: Usage, price: Price | undefined): Usage {
  const cost = costOf(usage, price)
  return cost === undefined ? usage : { ...usage, cost }
}

/** Writing to a cache has a price of its own, which `Price` does not hold: such a reply's cost is not known. */
function costOf(usage: Usage, price: Price | undefined): number | undefined {
  if (price === undefined || usage.inputCacheWritten > 0) return undefined
  return (usage.inputFresh * price.input + usage.inputCached * price.cachedInput + usage.output * price.output) / 1e6
}

interface PriceWords {
  /** Whose price it is, for people. Default: the model's name. */
  readonly of?: string
  /** How it can be said. Default: as for the model of a task. */
  readonly fix?: string
}

const BESIDE_MODEL =
  'Say it with "price: { input, cachedInput, output }" beside the model, in US dollars for a million tokens; or limit tokens.'

/** A bound on what is not known would never fire. Throws a `TaoError`; to be asked before anything is made for a run. */
export function expectPrice(
  { cost }: { readonly cost?: number },
  { name, price }: Model,
  { of = name, fix = BESIDE_MODEL }: PriceWords = {},
): void {
  if (cost === undefined || price !== undefined) return
  throw new TaoError('price', `A cost limit was set, but the price of ${of} is not known.`, { fix })
}

import type { Limits } from '../core/limits.ts'
import type { Masker } from '../core/secrets.ts'
import { estimateTokens, NO_USAGE, type Usage } from '../core/usage.ts'
import type { Model } from '../model/model.ts'
import { expectPrice } from '../model/price.ts'
import type { Ask, AskMessage } from '../tools/ask.ts'
import { type NamedModel, openModel } from './models.ts'
import { openMasker } from './secrets.ts'
import type { Settings } from './settings.ts'
import { priceIn } from './written-price.ts'

/*
 * Models that tools ask. What they use counts towards the run's limits, so a limit of cost needs their price: both functions
 * reject with a `TaoError` where that is not known, and resolve to undefined where no model is set.
 */

/** The one that picks from pages what serves a goal. */
export async function readingModelFrom(settings: Settings, limits: Partial<Limits>): Promise<Ask | undefined> {
  const priced = pricedBy('TAO_SUMMARY_PRICE', settings)
  const model = (await modelIn('TAO_SUMMARY_MODEL', settings, priced)) ?? (await modelOfOriginal(settings, priced))
  if (model === undefined) return undefined
  expectPriceOf(model, limits, 'TAO_SUMMARY_PRICE')
  return askWith(model, openMasker(settings), 0.7)
}

/** The one that describes pictures. */
export async function seeingModelFrom(settings: Settings, limits: Partial<Limits>): Promise<Ask | undefined> {
  const model = await modelIn('TAO_VISION_MODEL', settings, pricedBy('TAO_VISION_PRICE', settings))
  if (model === undefined) return undefined
  expectPriceOf(model, limits, 'TAO_VISION_PRICE')
  return askWith(model, openMasker(settings), 0)
}

type Priced = Pick<NamedModel, 'price'>

async function modelIn(variable: string, settings: Settings, priced: Priced): Promise<Model | undefined> {
  const name = settings.keyFor(variable)
  return name === undefined ? undefined : await openModel({ name, folder: process.cwd(), ...priced }, settings)
}

/** As the agent that these tools come from has it. */
async function modelOfOriginal(settings: Settings, priced: Priced): Promise<Model | undefined> {
  const { keyFor } = settings
  const [model, baseUrl] = [keyFor('SUMMARY_MODEL_NAME'), keyFor('API_BASE')]
  if (model === undefined || baseUrl === undefined) return undefined
  const own = { ...settings, keyFor: () => keyFor('API_KEY') }
  return await openModel({ name: `openai-compatible/${model}`, baseUrl, folder: process.cwd(), ...priced }, own)
}

function pricedBy(variable: string, { keyFor }: Settings): Priced {
  const written = keyFor(variable)
  return written === undefined ? {} : { price: priceIn(written, variable) }
}

const expectPriceOf = (model: Model, limits: Partial<Limits>, variable: string): void =>
  expectPrice(limits, model, {
    of: `${model.name}, which a tool asks,`,
    fix: `Say it with ${variable}=INPUT,CACHED,OUTPUT in US dollars for a million tokens; or limit tokens.`,
  })

/** What it is asked is another request to a service: no secret goes there. */
function askWith(model: Model, masker: Masker | undefined, temperature: number): Ask {
  const head = { tools: [], stop: [], temperature, maxOutputTokens: 8_192, stream: false, thinking: false }
  return async (given, signal) => {
    const messages = masker?.mask(given) ?? given
    const body = model.openBody(head)
    for (const message of messages) body.append(message)
    const request = { step: 1, head, messages, toolChoice: 'none' as const, ...body.take('none') }
    const { text, usage = estimate(messages, text) } = await model.ask(request, { signal })
    return { text, usage }
  }
}

/** About what services count for a large picture. */
const PICTURE_TOKENS = 1_500

/** A service that does not say what was used is counted by estimate, as it is for the run's own model. */
const estimate = (messages: readonly AskMessage[], reply: string): Usage => ({
  ...NO_USAGE,
  inputFresh: messages.reduce((sum, each) => sum + tokensOf(each), 0),
  output: estimateTokens(reply),
})

const tokensOf = ({ text, pictures = [] }: AskMessage): number =>
  estimateTokens(text) + pictures.length * PICTURE_TOKENS

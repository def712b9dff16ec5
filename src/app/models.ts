import { basename, resolve } from 'node:path'
import { TaoError } from '../core/error.ts'
import { didYouMean } from '../core/nearest.ts'
import { chatModel } from '../model/chat.ts'
import type { Model, Price } from '../model/model.ts'
import { priced } from '../model/price.ts'
import type { Profile } from '../model/profile.ts'
import { CHAT_PROFILES } from '../model/profiles.ts'
import { type RetryOptions, retrying } from '../model/retry.ts'
import { loadScript } from '../model/script-file.ts'
import { scripted } from '../model/scripted.ts'
import type { Settings } from './settings.ts'

export const SCRIPTED = 'scripted'

/** Every provider part that a model name may have. */
const PROVIDERS: readonly string[] = [...CHAT_PROFILES.keys(), SCRIPTED]

/** A double that answers from a file: never to be shown as a real model. */
export const isScripted = (name: string): boolean => name.startsWith(`${SCRIPTED}/`)

/** A model that is to be opened, and where its name was written. */
export interface NamedModel {
  /** `provider/model`, or `scripted/FILE`. */
  readonly name: string
  readonly baseUrl?: string
  /** Default: not known, as no service says it. */
  readonly price?: Price
  /** What the file of a scripted model is relative to. */
  readonly folder: string
  /** How many replies of a script the run has had before. Default: 0. */
  readonly from?: number
  /** How it is asked again after trouble. */
  readonly retry?: RetryOptions
}

/** Makes the model that a name stands for. Throws a `TaoError` for a name, an address, a key or a script that cannot work. */
export async function openModel(named: NamedModel, settings: Settings): Promise<Model> {
  const model = await openUnpriced(named, settings)
  return named.price === undefined ? model : priced(model, named.price)
}

async function openUnpriced(named: NamedModel, settings: Settings): Promise<Model> {
  const { provider, model } = splitName(named.name)
  if (provider === SCRIPTED) return await openScript(named, model)
  const profile = profileOf(provider)
  const given = named.baseUrl ?? settings.baseUrl
  const baseUrl = given ?? profile.baseUrl
  if (baseUrl === undefined)
    throw new TaoError('base-url', `The model ${named.name} needs the address of its server.`, {
      fix: 'Give it with --base-url, such as --base-url http://127.0.0.1:8000/v1.',
    })
  const apiKey = settings.keyFor(profile.keyVariable)
  if (apiKey === undefined && profile.keyRequired && given === undefined) throw noKey(named.name, profile)
  const key = apiKey === undefined ? {} : { apiKey }
  return retrying(chatModel({ name: named.name, model, baseUrl, profile, ...key }), named.retry)
}

/** Writes requests as the named model gets them, and asks nothing: it needs no key, no address and no script. */
export function silentModel(name: string, price?: Price): Model {
  const { provider, model } = splitName(name)
  const written =
    provider === SCRIPTED
      ? scripted([], { name })
      : chatModel({ name, model, baseUrl: 'http://127.0.0.1', profile: profileOf(provider) })
  const known = price ?? written.price
  return {
    name,
    ...(known === undefined ? {} : { price: known }),
    openBody: written.openBody,
    ask: () => Promise.reject(new Error('A replay asks no model.')),
  }
}

function splitName(name: string): { readonly provider: string; readonly model: string } {
  const slash = name.indexOf('/')
  const [provider, model] = slash === -1 ? [name, ''] : [name.slice(0, slash), name.slice(slash + 1)]
  if (!PROVIDERS.includes(provider) && slash !== -1) throw unknownProvider(name, provider)
  if (model.trim() !== '') return { provider, model }
  throw new TaoError('model', `"${name}" is not the name of a model: a name is provider/model.`, {
    fix: `Write it like deepseek/deepseek-chat. Providers: ${PROVIDERS.join(', ')}.`,
  })
}

/** The key that this model would need and that is not set, by the name of its variable. */
export function missingKey(name: string, baseUrl: string | undefined, settings: Settings): string | undefined {
  const profile = CHAT_PROFILES.get(splitName(name).provider)
  if (profile === undefined || !profile.keyRequired || baseUrl !== undefined) return undefined
  return settings.keyFor(profile.keyVariable) === undefined ? profile.keyVariable : undefined
}

function profileOf(provider: string): Profile {
  const profile = CHAT_PROFILES.get(provider)
  if (profile === undefined) throw unknownProvider(provider, provider)
  return profile
}

async function openScript(named: NamedModel, file: string): Promise<Model> {
  const path = resolve(named.folder, file)
  const from = named.from === undefined ? {} : { from: named.from }
  return scripted(await loadScript(path), { name: `${SCRIPTED}/${basename(path)}`, ...from })
}

const unknownProvider = (name: string, provider: string): TaoError =>
  new TaoError(
    'model',
    `"${provider}" in the model name "${name}" is not a provider. ${didYouMean(provider, PROVIDERS)}`,
    {
      fix: `Providers: ${PROVIDERS.join(', ')}. Any other server: openai-compatible/MODEL with --base-url ADDRESS.`,
    },
  )

const noKey = (name: string, { keyVariable }: Profile): TaoError =>
  new TaoError('no-key', `The model ${name} needs a key, and ${keyVariable} is not set.`, {
    fix: `Set it with: export ${keyVariable}=…   or choose another model with --model.`,
  })

import { TaoError } from '../core/error.ts'
import type { Price } from '../model/model.ts'
import type { LocalServer } from './local-servers.ts'
import { missingKey, type NamedModel, SCRIPTED } from './models.ts'
import type { Settings } from './settings.ts'

/** Which model was asked for, and by whom. The first that is there wins. */
export interface ModelWish {
  /** Said for this run. */
  readonly flag?: string
  /** Written in the task file. */
  readonly taskFile?: string
  /** What the model in the task file costs. */
  readonly price?: Price
  /** A script that stands in when there is no key, by the task file. */
  readonly script?: string
  readonly baseUrl?: string
  /** What files named by a flag, and by the task file, are relative to. */
  readonly folders: { readonly flag: string; readonly taskFile: string }
}

export interface ModelChoice extends NamedModel {
  /** Half a sentence for people: why this one. */
  readonly why: string
}

/** The model each key stands for when nothing else is said, in order. */
const DEFAULTS: readonly (readonly [variable: string, name: string])[] = [
  ['DEEPSEEK_API_KEY', 'deepseek/deepseek-chat'],
  ['OPENAI_API_KEY', 'openai/gpt-5'],
  ['OPENROUTER_API_KEY', 'openrouter/deepseek/deepseek-chat'],
]

export type FindServers = () => Promise<readonly LocalServer[]>

/** Most runs name their model or have a key: they never load this. */
const lookAround: FindServers = async () => (await import('./local-servers.ts')).findLocalServers()

/** Decides which model a run asks: said, written, a key in the environment, a script, a local server. Else a `TaoError`. */
export async function chooseModel(
  wish: ModelWish,
  settings: Settings,
  findServers: FindServers = lookAround,
): Promise<ModelChoice> {
  const base = wish.baseUrl === undefined ? {} : { baseUrl: wish.baseUrl }
  if (wish.flag !== undefined) return fromFlag(wish, wish.flag)
  if (wish.taskFile !== undefined) return fromTaskFile(wish, wish.taskFile, settings)
  for (const [variable, name] of DEFAULTS)
    if (settings.keyFor(variable) !== undefined)
      return { name, ...base, folder: wish.folders.flag, why: `${variable} is set` }
  if (wish.script !== undefined) return standIn(wish, wish.script, 'no key is set, so the script of the task stands in')
  const address = wish.baseUrl ?? settings.baseUrl
  if (address !== undefined) throw noName(address)
  return fromLocalServer(wish, await findServers())
}

function fromFlag(wish: ModelWish, name: string): ModelChoice {
  const isSame = name === wish.taskFile || wish.taskFile === undefined
  return { name, ...beside(wish, isSame), folder: wish.folders.flag, why: 'named for this run' }
}

/** A price is that of the model it was written for, and of no other. */
const beside = ({ baseUrl, price }: ModelWish, isPriced: boolean): Pick<ModelChoice, 'baseUrl' | 'price'> => ({
  ...(baseUrl === undefined ? {} : { baseUrl }),
  ...(price === undefined || !isPriced ? {} : { price }),
})

function fromTaskFile(wish: ModelWish, name: string, settings: Settings): ModelChoice {
  const missing = missingKey(name, wish.baseUrl ?? settings.baseUrl, settings)
  if (missing !== undefined && wish.script !== undefined)
    return standIn(wish, wish.script, `${missing} is not set, so the script of the task stands in for ${name}`)
  return { name, ...beside(wish, true), folder: wish.folders.taskFile, why: 'named in the task file' }
}

const standIn = (wish: ModelWish, script: string, why: string): ModelChoice => ({
  name: `${SCRIPTED}/${script}`,
  ...(wish.price === undefined ? {} : { price: wish.price }),
  folder: wish.folders.taskFile,
  why,
})

function fromLocalServer(wish: ModelWish, servers: readonly LocalServer[]): ModelChoice {
  const server = servers.find(({ loaded }) => loaded !== undefined)
  if (server?.loaded === undefined) throw noModel(servers)
  const { provider, model, baseUrl } = server.loaded
  const why = `${server.server} runs on this machine with this model loaded`
  return { name: `${provider}/${model}`, baseUrl, folder: wish.folders.flag, why }
}

const noName = (address: string): TaoError =>
  new TaoError('no-model', `The address ${address} was given, but not which model to ask there.`, {
    fix: 'Name it as well: --model openai-compatible/MODEL',
  })

function noModel(servers: readonly LocalServer[]): TaoError {
  const idle = servers.map(
    ({ server, baseUrl }) => `${server} at ${baseUrl} runs without a loaded model that calls tools`,
  )
  const looked = idle.length === 0 ? 'no local model server answers' : idle.join('; ')
  return new TaoError('no-model', `There is no model to ask: none was named, no key is set, and ${looked}.`, {
    fix: [
      'Choose one of these ways:',
      '  --model deepseek/deepseek-chat            name a model (or write "model:" in the task file)',
      '  export DEEPSEEK_API_KEY=…                 a key: DEEPSEEK_API_KEY, OPENAI_API_KEY or OPENROUTER_API_KEY',
      '  start Ollama, LM Studio, llama-server or vLLM on its usual port, with a model loaded',
      '  --model openai-compatible/MODEL --base-url ADDRESS      any other server',
      '  --model scripted/FILE.json                replies from a file, to try things out without a model',
    ].join('\n'),
  })
}

import { isJsonObject, type Json, type JsonObject } from '../core/json.ts'

/** A model that a server on this machine has in memory. */
export interface LocalModel {
  /** The part of a model name before the slash. */
  readonly provider: 'ollama' | 'lmstudio' | 'openai-compatible'
  readonly model: string
  readonly baseUrl: string
}

/** What was found at one of the usual ports. */
export interface LocalServer {
  readonly server: string
  readonly baseUrl: string
  /** Undefined when the server runs and has nothing loaded that can call tools. */
  readonly loaded?: LocalModel
}

export interface ProbeOptions {
  /** Ports of Ollama, LM Studio, llama-server and vLLM, in this order. */
  readonly ports?: readonly [number, number, number, number]
  /** Milliseconds for all of them together. */
  readonly timeLimit?: number
}

const USUAL_PORTS = [11434, 1234, 8080, 8000] as const
const LARGEST_ANSWER = 2 << 20

type Probe = (origin: string, get: Get) => Promise<LocalServer | undefined>
type Get = (path: string, body?: JsonObject) => Promise<JsonObject | undefined>

/**
 * Asks the usual ports of this machine at once. An open port is no server: what answers must have the shape of one. No
 * key is sent and no redirect followed. Never rejects.
 */
export async function findLocalServers(options: ProbeOptions = {}): Promise<LocalServer[]> {
  const { ports = USUAL_PORTS, timeLimit = 400 } = options
  const signal = AbortSignal.timeout(timeLimit)
  const probes: readonly Probe[] = [probeOllama, probeLmStudio, probeLlamaServer, probeVllm]
  const found = await Promise.all(
    probes.map((probe, index) => {
      const origin = `http://127.0.0.1:${ports[index]}`
      return probe(origin, (path, body) => getJson(`${origin}${path}`, signal, body)).catch(() => undefined)
    }),
  )
  return found.filter((server) => server !== undefined)
}

async function probeOllama(origin: string, get: Get): Promise<LocalServer | undefined> {
  const version = await get('/api/version')
  if (typeof version?.version !== 'string') return undefined
  const baseUrl = `${origin}/v1`
  for (const entry of objects((await get('/api/ps'))?.models)) {
    const model = entry.model ?? entry.name
    if (typeof model !== 'string') continue
    const capabilities = (await get('/api/show', { model }))?.capabilities
    const callsTools = !Array.isArray(capabilities) || capabilities.includes('tools')
    if (callsTools) return { server: 'Ollama', baseUrl, loaded: { provider: 'ollama', model, baseUrl } }
  }
  return { server: 'Ollama', baseUrl }
}

async function probeLmStudio(origin: string, get: Get): Promise<LocalServer | undefined> {
  const baseUrl = `${origin}/v1`
  const current = (await get('/api/v1/models'))?.models
  const older = Array.isArray(current) ? undefined : (await get('/api/v0/models'))?.data
  if (!Array.isArray(current) && !Array.isArray(older)) return undefined
  const loaded =
    objects(current).find((each) => objects(each.loaded_instances).length > 0) ??
    objects(older).find((each) => each.state === 'loaded' && each.type !== 'embeddings')
  const model = loaded?.key ?? loaded?.id
  const found = { server: 'LM Studio', baseUrl }
  return typeof model === 'string' ? { ...found, loaded: { provider: 'lmstudio', model, baseUrl } } : found
}

async function probeLlamaServer(origin: string, get: Get): Promise<LocalServer | undefined> {
  if (!isJsonObject((await get('/props'))?.default_generation_settings)) return undefined
  return withFirstModel('llama-server', `${origin}/v1`, await get('/v1/models'))
}

async function probeVllm(origin: string, get: Get): Promise<LocalServer | undefined> {
  const models = await get('/v1/models')
  if (objects(models?.data)[0]?.owned_by !== 'vllm') return undefined
  return withFirstModel('vLLM', `${origin}/v1`, models)
}

function withFirstModel(server: string, baseUrl: string, models: JsonObject | undefined): LocalServer {
  const model = objects(models?.data)[0]?.id
  const found = { server, baseUrl }
  return typeof model === 'string' ? { ...found, loaded: { provider: 'openai-compatible', model, baseUrl } } : found
}

const objects = (list: Json | undefined): JsonObject[] => (Array.isArray(list) ? list.filter(isJsonObject) : [])

async function getJson(url: string, signal: AbortSignal, body?: JsonObject): Promise<JsonObject | undefined> {
  const post = body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }
  const response = await fetch(url, { signal, redirect: 'error', headers: { accept: 'application/json' }, ...post })
  if (!response.ok || response.body === null) return undefined
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of response.body) {
    size += chunk.length
    if (size > LARGEST_ANSWER) return undefined
    chunks.push(chunk)
  }
  const value: unknown = JSON.parse(Buffer.concat(chunks).toString())
  return isJsonObject(value) ? value : undefined
}

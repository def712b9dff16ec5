import { readFileSync } from 'node:fs'
import { describeError, TaoError } from '../core/error.ts'
import { CHAT_PROFILES } from '../model/profiles.ts'
import { bubblewrap } from '../sandbox/bubblewrap.ts'
import { closedFolderFix, findClosedFolder, homeAt, openHome } from './home.ts'
import { findLocalServers, type LocalServer } from './local-servers.ts'
import type { Settings } from './settings.ts'

/** What was found out about one thing that Tao needs. */
export interface Finding {
  readonly what: 'node' | 'sandbox' | 'model' | 'state'
  readonly ok: boolean
  readonly detail: string
  readonly fix?: string
}

/** Looks at everything that a run needs on this machine. Never throws: a problem is a finding. */
export async function examine(settings: Settings, findServers = findLocalServers): Promise<Finding[]> {
  const [sandbox, model] = await Promise.all([examineSandbox(settings), examineModels(settings, findServers)])
  return [examineNode(process.versions.node), sandbox, model, examineState(settings.home)]
}

export function examineNode(version: string): Finding {
  const wanted = readWantedNode()
  const [major = 0, minor = 0] = version.split('.').map(Number)
  const [wantedMajor = 0, wantedMinor = 0] = wanted.split('.').map(Number)
  const ok = major > wantedMajor || (major === wantedMajor && minor >= wantedMinor)
  if (ok) return { what: 'node', ok, detail: `version ${version}` }
  const fix = `Install Node ${wanted} or newer from https://nodejs.org`
  return { what: 'node', ok, detail: `version ${version}, but ${wanted} or newer is needed`, fix }
}

/** Said once, in the package. */
function readWantedNode(): string {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8')
  const { engines } = JSON.parse(text) as { readonly engines: { readonly node: string } }
  return engines.node.replace(/^>=/, '')
}

async function examineSandbox({ sandboxProgram }: Settings): Promise<Finding> {
  const probe = await bubblewrap(sandboxProgram === undefined ? {} : { program: sandboxProgram }).probe()
  return probe.ok
    ? { what: 'sandbox', ok: true, detail: probe.detail }
    : { what: 'sandbox', ok: false, detail: probe.problem, fix: probe.fix }
}

async function examineModels(settings: Settings, findServers: () => Promise<readonly LocalServer[]>): Promise<Finding> {
  const keys = [...CHAT_PROFILES.values()].map((profile) => profile.keyVariable)
  const set = keys.filter((variable) => settings.keyFor(variable) !== undefined)
  const servers = await findServers()
  const found = [
    ...set.map((variable) => `${variable} is set`),
    ...(settings.baseUrl === undefined ? [] : [`TAO_BASE_URL is ${settings.baseUrl}`]),
    ...servers.map(describeServer),
  ]
  const detail = found.length === 0 ? 'no key is set and no local server answers' : found.join('; ')
  const ok = set.length > 0 || settings.baseUrl !== undefined || servers.some(({ loaded }) => loaded !== undefined)
  if (ok) return { what: 'model', ok, detail }
  const fix = `Set a key (${keys.slice(0, 3).join(', ')}), or load a model in Ollama, LM Studio, llama-server or vLLM.`
  return { what: 'model', ok, detail, fix }
}

const describeServer = ({ server, baseUrl, loaded }: LocalServer): string =>
  `${server} at ${baseUrl} has ${loaded === undefined ? 'nothing loaded that calls tools' : loaded.model}`

function examineState(path: string): Finding {
  const what = 'state'
  try {
    openHome(path)
  } catch (error) {
    const fix = error instanceof TaoError ? error.fix : undefined
    return { what, ok: false, detail: describeError(error), ...(fix === undefined ? {} : { fix }) }
  }
  const closed = findClosedFolder(homeAt(path).work)
  if (closed === undefined) return { what, ok: true, detail: `runs are kept in ${path}` }
  const detail = `${path} cannot be used for working copies: commands run as another user, who may not enter ${closed}`
  return { what, ok: false, detail, fix: closedFolderFix(closed) }
}

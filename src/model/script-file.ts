import { readFile } from 'node:fs/promises'
import { extname, resolve } from 'node:path'
import { pathToFileURL } from 'node:url'
import { describeError } from '../core/error.ts'
import type { Script, ScriptFunction } from './script.ts'
import { checkReply, checkScript, scriptError } from './script-check.ts'

const MODULES: ReadonlySet<string> = new Set(['.ts', '.mts', '.js', '.mjs'])

/**
 * Reads a script: a JSON file with a list of replies, or a module whose default export (or the one named `reply`) is a
 * function of the request or such a list. Throws a `TaoError` that names the file.
 */
export async function loadScript(path: string): Promise<Script> {
  const extension = extname(path)
  if (extension === '.json') return checkScript(await readScript(path), path)
  if (MODULES.has(extension)) return await importScript(path)
  throw scriptError(path, `is no script: its name ends in "${extension}"`, 'Give a .json, .ts or .js file.')
}

async function readScript(path: string): Promise<unknown> {
  try {
    return JSON.parse(await readFile(path, 'utf8'))
  } catch (error) {
    throw scriptError(path, `cannot be read: ${describeError(error)}`)
  }
}

async function importScript(path: string): Promise<Script> {
  let module: { readonly default?: unknown; readonly reply?: unknown }
  try {
    module = await import(pathToFileURL(resolve(path)).href)
  } catch (error) {
    throw scriptError(path, `cannot be loaded: ${describeError(error)}`)
  }
  const exported = module.default ?? module.reply
  if (typeof exported === 'function') return checking(exported as ScriptFunction, path)
  if (Array.isArray(exported)) return checkScript(exported, path)
  const fix = 'Write: export default (request, n) => ({ text: "…" })'
  throw scriptError(path, 'exports neither a function nor a list of replies', fix)
}

/** What a function gives is checked when it gives it. */
const checking =
  (script: ScriptFunction, path: string): ScriptFunction =>
  async (request, n) => {
    const reply: unknown = await script(request, n)
    return reply === undefined ? undefined : checkReply(reply, `reply ${n + 1}`, path)
  }

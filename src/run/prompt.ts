import type { Parts } from './run.ts'

export interface PromptOptions {
  /** Paragraphs of the protocol and of the user; empty ones are left out. */
  readonly instructions: readonly string[]
  readonly parts: Parts
}

/** The system message. It stays the same for the whole run: providers' prompt caches depend on it. */
export function systemPrompt({ instructions, parts }: PromptOptions): string {
  const paragraphs = [
    'You are a careful assistant that works in steps: think, call a tool, read what it returned, go on.',
    'Only what a tool returned has happened. Never invent a result, and never say that something was done when no call did it.',
    workspaceWords(parts),
    criteriaWords(parts),
    ...instructions,
  ]
  return paragraphs.filter((each) => each !== '').join('\n\n')
}

function workspaceWords({ workspace, sandbox }: Parts): string {
  if (workspace === undefined) return ''
  const { protect } = workspace.record
  const guarded = protect.length === 0 ? '' : ` These paths are protected and cannot be changed: ${protect.join(', ')}.`
  const isExternal = sandbox?.name === 'external'
  const folder = isExternal ? workspace.record.copy : '/workspace'
  const network = isExternal ? 'with the network of this machine' : networkWords(sandbox?.network ?? [])
  return `The files are in ${folder}, a copy of the user's tree. Commands run there, ${network}.${guarded}`
}

const networkWords = (network: readonly string[]): string =>
  network.length === 0
    ? 'without network'
    : `and reach these hosts only, through the proxy that the environment names: ${network.join(', ')}`

function criteriaWords({ criteria }: Parts): string {
  if (criteria.length === 0) return ''
  const list = criteria.map(({ name }) => `- ${name}`).join('\n')
  return `Your final answer is accepted when code has checked that all of this holds:\n${list}`
}

import type { Profile } from './profile.ts'
import { PLAIN } from './profile.ts'

/** Thinks unless told not to, and then refuses earlier calls that come back without their reasoning. */
const deepseek: Profile = {
  ...PLAIN,
  provider: 'deepseek',
  baseUrl: 'https://api.deepseek.com',
  keyVariable: 'DEEPSEEK_API_KEY',
  keyRequired: true,
  extras: (head) => ({ thinking: { type: head.thinking ? 'enabled' : 'disabled' } }),
  returnsReasoning: (head) => head.thinking,
}

const REASONING_ONLY = /^(?:o\d|gpt-(?:[5-9]|\d\d))/

const openai: Profile = {
  ...PLAIN,
  provider: 'openai',
  baseUrl: 'https://api.openai.com/v1',
  keyVariable: 'OPENAI_API_KEY',
  keyRequired: true,
  refuses: (model) => (REASONING_ONLY.test(model) ? { maxTokens: true, temperature: true, stop: true } : {}),
}

const openrouter: Profile = {
  ...PLAIN,
  provider: 'openrouter',
  baseUrl: 'https://openrouter.ai/api/v1',
  keyVariable: 'OPENROUTER_API_KEY',
  keyRequired: true,
}

const ollama: Profile = {
  ...PLAIN,
  provider: 'ollama',
  baseUrl: 'http://127.0.0.1:11434/v1',
  keyVariable: 'OLLAMA_API_KEY',
}

const lmstudio: Profile = {
  ...PLAIN,
  provider: 'lmstudio',
  baseUrl: 'http://127.0.0.1:1234/v1',
  keyVariable: 'LM_API_TOKEN',
}

/** vLLM, llama-server and every other server with this interface: the address must be given. */
const openaiCompatible: Profile = {
  ...PLAIN,
  provider: 'openai-compatible',
  baseUrl: undefined,
  keyVariable: 'TAO_API_KEY',
}

/** Every service that is spoken to with chat/completions, by the provider part of a model name. */
export const CHAT_PROFILES: ReadonlyMap<string, Profile> = new Map(
  [deepseek, openai, openrouter, ollama, lmstudio, openaiCompatible].map((profile) => [profile.provider, profile]),
)

import { z } from 'zod'

/** The API types: how a provider is spoken to. */
export const Wire = z.enum([
  'openai',
  'anthropic',
  'ollama',
  'openai-compatible',
  'azure-openai',
  'bedrock',
  'gemini',
  'demo',
])
export type Wire = z.infer<typeof Wire>

/** What people call the API types. */
export const wireWords: Record<Wire, string> = {
  openai: 'OpenAI (Responses)',
  anthropic: 'Anthropic',
  ollama: 'Ollama',
  'openai-compatible': 'OpenAI-compatible (Chat Completions)',
  'azure-openai': 'Azure OpenAI',
  bedrock: 'Amazon Bedrock',
  gemini: 'Google Gemini',
  demo: 'Demo',
}

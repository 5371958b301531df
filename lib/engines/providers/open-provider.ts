import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { anthropicProvider } from './anthropic'
import { azureOpenAiProvider } from './azure-openai'
import { bedrockProvider } from './bedrock'
import { demoProvider } from './demo'
import { geminiProvider } from './gemini'
import { ollamaProvider } from './ollama'
import { openaiProvider } from './openai'
import { openaiCompatibleProvider } from './openai-compatible'
import type { Provider, ProviderOptions } from './provider'

/** Returns the provider of a stored connection. It is cheap enough to be created for each run. */
export function openProvider(wire: ModelTarget['wire'], options: ProviderOptions): Provider {
  switch (wire) {
    case 'openai':
      return openaiProvider(options)
    case 'openai-compatible':
      return openaiCompatibleProvider(options)
    case 'bedrock':
      return bedrockProvider(options)
    case 'azure-openai':
      return azureOpenAiProvider(options)
    case 'gemini':
      return geminiProvider(options)
    case 'anthropic':
      return anthropicProvider(options)
    case 'ollama':
      return ollamaProvider(options)
    case 'demo':
      return demoProvider(options)
    default:
      return wire satisfies never
  }
}

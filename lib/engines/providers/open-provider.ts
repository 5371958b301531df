import type { ModelTarget } from '@/lib/protocol/model/model-target'
import { anthropicProvider } from './anthropic/anthropic'
import { bedrockProvider } from './bedrock/bedrock'
import { openaiCompatibleProvider } from './chat-completions/openai-compatible'
import { demoProvider } from './demo/demo'
import { geminiProvider } from './gemini/gemini'
import { ollamaProvider } from './ollama/ollama'
import { azureOpenAiProvider } from './openai/azure-openai'
import { openaiProvider } from './openai/openai'
import type { Provider, ProviderOptions } from './provider'

/** Creates the provider for an API type with the settings and the key of a connection. Creating one is cheap. */
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

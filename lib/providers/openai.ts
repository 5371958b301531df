import { createChatClient } from './chat-completions'
import { readChatCompletions } from './chat-completions-reader'
import type { ChatDialect } from './chat-completions-request'
import type { Provider, ProviderOptions } from './provider'
import { streamingProvider } from './stream-turn'

const dialect: ChatDialect = { maxTokensField: 'max_completion_tokens', includeUsage: true }

export const openAiAddress = 'https://api.openai.com/v1'

/** OpenAI itself, over Chat Completions. */
export function openaiProvider(options: ProviderOptions): Provider {
  const send = createChatClient(options, options.baseUrl ?? openAiAddress)
  return streamingProvider(
    {
      name: 'openai',
      send: (request, signal) => send(request, dialect, signal),
      read: readChatCompletions,
    },
    options,
  )
}

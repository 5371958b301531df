import { readChatCompletions } from '@/lib/engines/providers/chat-completions/chat-completions-reader'
import { chatSend, openAiDialect } from '@/lib/engines/providers/chat-completions/openai-compatible'
import { correctAddress } from '@/lib/engines/providers/failures/connection-advice'
import { WireFailure } from '@/lib/engines/providers/failures/provider-error'
import { accessOf } from '@/lib/engines/providers/http/bearer-token'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { streamingProvider } from '@/lib/engines/providers/turn/stream-turn'
import type { Message, ModelRequest } from '@/lib/protocol/model/message'
import { responsesSend } from './openai'
import { openAiClient } from './openai-client'
import { readResponses } from './responses-reader'

/**
 * Returns the provider for Azure OpenAI's v1 API, where the model id is the name of a deployment: Responses, or Chat
 * Completions for models without Responses. The key is sent as `api-key`, or a token of Microsoft Entra ID as bearer; a
 * refused token is replaced once.
 */
export function azureOpenAiProvider(given: ProviderOptions): Provider {
  const { options, fetch, withFreshToken } = accessOf('azure-openai', given, 'api-key')
  const baseUrl = azureBaseUrl(options)
  const isChat = options.settings.api === 'chat-completions'
  const ask = isChat
    ? chatSend(options, baseUrl, openAiDialect, fetch)
    : responsesSend(options, baseUrl, fetch)
  return streamingProvider(
    {
      name: 'azure-openai',
      send: async (request, signal, report) => {
        if (baseUrl === '') throw withoutAddress()
        const fitting = withNativeOf(request, isChat ? '{' : '[')
        return withFreshToken(() => ask(fitting, signal, report), report.mayResend)
      },
      read: (turn) => (isChat ? readChatCompletions(turn) : readResponses(turn)),
    },
    options,
  )
}

/**
 * Returns the messages. Answers that were written over the other API, before the setting changed, are sent in the
 * portable form.
 */
function withNativeOf(request: ModelRequest, start: string): ModelRequest {
  const isForeign = (message: Message) =>
    message.role === 'assistant' &&
    message.native !== undefined &&
    !message.native.startsWith(start)
  if (!request.messages.some(isForeign)) return request
  const messages = request.messages.map((message) => {
    if (message.role !== 'assistant' || !isForeign(message)) return message
    const { native: _, ...portable } = message
    return portable
  })
  return { ...request, messages }
}

/** Returns the models of the resource. Its deployments are not listed by this API. */
export async function azureModels(given: ProviderOptions, signal: AbortSignal): Promise<Response> {
  const { options, fetch, withFreshToken } = accessOf('azure-openai', given, 'api-key')
  const baseUrl = azureBaseUrl(options)
  if (baseUrl === '') throw withoutAddress()
  const client = await openAiClient(options, baseUrl, fetch)
  return withFreshToken(() => client.get('/models', { signal }).asResponse())
}

/**
 * Returns the address before `/chat/completions`, '' when there is none. The bare address of a resource gets the path
 * of the v1 API.
 */
function azureBaseUrl({ baseUrl }: ProviderOptions): string {
  const address = (baseUrl ?? '').replace(/\/(?:chat\/completions|responses)\/?$/, '')
  if (!URL.canParse(address)) return ''
  return new URL(address).pathname === '/' ? `${new URL(address).origin}/openai/v1` : address
}

function withoutAddress(): WireFailure {
  return new WireFailure('bad-request', `This connection has no base URL. ${correctAddress}`, null)
}

import type { ModelRequest } from '@/lib/protocol/message'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
import { conversationOf, createBodies } from './growing-body'
import { openAiClient, type openAiFetch } from './openai-client'
import type { ProviderOptions } from './provider'

/**
 * Sends Chat Completions requests to the address the official client would, with our `fetch`, headers and bytes. The
 * client is asked once, since the address is the same in every request and asking costs more than one.
 */
export function createChatClient(
  options: ProviderOptions,
  baseUrl: string,
  send: ReturnType<typeof openAiFetch>,
) {
  const bodies = createBodies()
  let prepared: Promise<string> | undefined
  return async (
    request: ModelRequest,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Response> => {
    prepared ??= chatAddress(options, baseUrl)
    const address = await prepared
    return bodies(conversationOf(request), (make) => {
      const body = chatCompletionsBody(request, dialect, make)
      return send(address, { method: 'POST', body, signal })
    })
  }
}

async function chatAddress(options: ProviderOptions, baseUrl: string): Promise<string> {
  const client = await openAiClient(options, baseUrl)
  const { url } = await client.buildRequest({
    method: 'post',
    path: '/chat/completions',
  })
  return url
}

import type { ModelRequest } from '@/lib/protocol/message'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'
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
  let prepared: Promise<string> | undefined
  return async (
    request: ModelRequest,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Response> => {
    prepared ??= chatAddress(options, baseUrl)
    const body = chatCompletionsBody(request, dialect)
    return send(await prepared, { method: 'POST', body, signal })
  }
}

async function chatAddress(options: ProviderOptions, baseUrl: string): Promise<string> {
  const { url } = await openAiClient(options, baseUrl).buildRequest({
    method: 'post',
    path: '/chat/completions',
  })
  return url
}

import type { openAiFetch } from '@/lib/engines/providers/openai/openai-client'
import { conversationOf, createBodies } from '@/lib/engines/providers/request/growing-body'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { type ChatDialect, chatCompletionsBody } from './chat-completions-request'

/** Sends Chat Completions requests with our `fetch`, headers and bytes. */
export function createChatClient(baseUrl: string, send: ReturnType<typeof openAiFetch>) {
  const bodies = createBodies()
  const address = chatAddress(baseUrl)
  return async (
    request: ModelRequest,
    dialect: ChatDialect,
    signal: AbortSignal,
  ): Promise<Response> => {
    return bodies(conversationOf(request), (make) => {
      const body = chatCompletionsBody(request, dialect, make)
      return send(address, { method: 'POST', body, signal })
    })
  }
}

/** Returns the address that the official client asks for such a base URL. Loading the client would take 60 ms. */
function chatAddress(baseUrl: string): string {
  return `${baseUrl.replace(/\/$/, '')}/chat/completions`
}

import type Anthropic from '@anthropic-ai/sdk'
import { wireFetch } from '@/lib/engines/providers/http/wire-fetch'
import type { Provider, ProviderOptions } from '@/lib/engines/providers/provider'
import { createPlainerSend, withoutStrictTools } from '@/lib/engines/providers/request/send-plainer'
import { streamingProvider } from '@/lib/engines/providers/turn/stream-turn'
import type { ModelRequest } from '@/lib/protocol/model/message'
import { readAnthropic } from './anthropic-reader'
import { type AnthropicDialect, anthropicBody } from './anthropic-request'
import { isStrictRefused, takesStrictTools } from './claude-tools'

/** The version of the API whose stream is read here. */
const apiVersion = '2026-10-21'
const publicAddress = 'https://api.anthropic.com'

/**
 * Returns the provider for Anthropic's Messages API. It asks at the official client's address, with our
 * `fetch`, headers and bytes.
 */
export function anthropicProvider(options: ProviderOptions): Provider {
  const fetch = anthropicFetch(options)
  let address: Promise<string> | undefined
  const ask = async (request: ModelRequest, dialect: AnthropicDialect, signal: AbortSignal) => {
    address ??= anthropicClient(options, fetch)
      .then((client) => client.buildRequest({ method: 'post', path: '/v1/messages' }))
      .then(({ url }) => url)
    const strictTools = dialect.strictTools && takesStrictTools(request.modelId)
    const body = anthropicBody(request, { strictTools })
    return fetch(await address, { method: 'POST', body, signal })
  }
  const send = sendPlainer(options.baseUrl ?? publicAddress, { strictTools: true }, ask)
  return streamingProvider({ name: 'anthropic', send, read: readAnthropic }, options)
}

const sendPlainer = createPlainerSend<AnthropicDialect>({
  plainer: ({ body }, { strictTools }, { modelId, tools }) =>
    strictTools && tools.length > 0 && takesStrictTools(modelId) && isStrictRefused(body)
      ? { strictTools: false }
      : null,
  notes: ({ strictTools }, { tools }) =>
    strictTools || tools.length === 0 ? [] : [withoutStrictTools],
})

/**
 * Resolves with the official client with our `fetch`, without credentials, headers or tracing from the environment. It
 * is loaded when first used.
 */
export async function anthropicClient(
  options: ProviderOptions,
  fetch = anthropicFetch(options),
): Promise<Anthropic> {
  const { default: Client } = await import('@anthropic-ai/sdk')
  return new Client({
    baseURL: options.baseUrl ?? publicAddress,
    apiKey: 'none',
    webhookKey: null,
    maxRetries: 0,
    logLevel: 'off',
    openTelemetry: { traces: false, propagation: false },
    fetch,
  })
}

function anthropicFetch(options: ProviderOptions) {
  return wireFetch(options, { 'anthropic-version': apiVersion })
}

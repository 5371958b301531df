import { openProvider } from '@/lib/engines/providers/open-provider'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import type { ModelRequest } from '@/lib/protocol/model/message'
import type { ModelTarget } from '@/lib/protocol/model/model-target'
import type { SentHttp } from '@/lib/protocol/model/sent-request'

type Described = Pick<ProviderOptions, 'baseUrl' | 'settings' | 'organisation'> & {
  /** Text shown in place of the key; null: the connection has none. */
  apiKey: string | null
}

/**
 * Returns the HTTP request that a wire makes of this one, by the code that sends it, without sending it. Null where it
 * makes none: the demo, or a connection that lacks what an address needs.
 */
export async function describeRequest(
  wire: ModelTarget['wire'],
  connection: Described,
  request: ModelRequest,
): Promise<SentHttp | null> {
  if (wire === 'demo') return null
  let described: SentHttp | null = null
  const provider = openProvider(wire, {
    ...connection,
    headers: {},
    privateAddressAllowed: false,
    publicAddressRefused: false,
    onIncident: () => undefined,
    newId: () => '',
    insteadOfSending: (sent) => {
      described ??= sent
    },
  })
  const events = provider.stream(request, new AbortController().signal, async () => false)
  for await (const event of events) if (event.type === 'error') break
  return described
}

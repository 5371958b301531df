import type { ProviderOptions } from '../provider'

/** What a connection to a server of this test would give. */
export function providerOptions(change: Partial<ProviderOptions> = {}): ProviderOptions {
  return {
    baseUrl: null,
    apiKey: null,
    settings: {},
    organisation: null,
    headers: {},
    privateAddressAllowed: true,
    onIncident: () => {},
    newId: () => 'incident-1',
    ...change,
  }
}

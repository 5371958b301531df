import type { ProviderOptions } from '../provider'

/** Returns the options of a connection to a server of this test. */
export function providerOptions(change: Partial<ProviderOptions> = {}): ProviderOptions {
  return {
    baseUrl: null,
    apiKey: null,
    settings: {},
    organisation: null,
    headers: {},
    privateAddressAllowed: true,
    publicAddressRefused: false,
    onIncident: () => {},
    newId: () => 'incident-1',
    ...change,
  }
}

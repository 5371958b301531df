import 'server-only'
import type { OpenConnection } from '@/lib/connections/open-connection'
import { log } from '@/lib/log'
import { newId } from '@/lib/new-id'
import type { ProviderOptions } from '@/lib/providers/provider'

/** Returns what a wire needs of an opened connection; raw details of failures go to the server log under its name. */
export function providerOptions(
  { wire: _wire, ...connection }: OpenConnection,
  connectionName: string,
): ProviderOptions {
  return {
    ...connection,
    onIncident: (incidentId, detail) =>
      log.error(
        { source: 'provider', incidentId, connection: connectionName, detail },
        'A provider failed',
      ),
    newId,
  }
}

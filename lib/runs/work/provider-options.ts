import 'server-only'
import type { OpenConnection } from '@/lib/domains/connections/open-connection'
import type { ProviderOptions } from '@/lib/engines/providers/provider'
import { log } from '@/lib/kernel/log'
import { newId } from '@/lib/kernel/new-id'

/** Returns what a wire needs of an opened connection; raw details of failures go to the server log under its name. */
export function providerOptions(
  { wire: _wire, ...connection }: OpenConnection,
  connectionName: string,
): ProviderOptions {
  return {
    ...connection,
    ...incidentsOf(connectionName),
  }
}

/** Returns where raw details of failures go: to the server log, under this name. */
export function incidentsOf(connectionName: string): Pick<ProviderOptions, 'onIncident' | 'newId'> {
  return {
    onIncident: (incidentId, detail) =>
      log.error(
        { source: 'provider', incidentId, connection: connectionName, detail },
        'A provider failed',
      ),
    newId,
  }
}

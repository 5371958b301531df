import 'server-only'
import { v7 as newId } from 'uuid'
import { loadConnectionSecret } from '@/lib/connections/load-connection-secret'
import { db } from '@/lib/db'
import { log } from '@/lib/log'
import type { ModelTarget } from '@/lib/protocol/model-target'
import { openProvider } from '@/lib/providers/open-provider'
import type { Provider } from '@/lib/providers/provider'
import type { RunDeps } from '@/lib/runtime/deps'
import { guardConnection } from './guard-connection'

/**
 * Streams from a target's connection, through its circuit breaker; its secrets are opened for the first request and kept
 * in memory for the run.
 */
export function openModelStream(): RunDeps['streamModel'] {
  const providers = new Map<string, Provider>()
  return async function* streamModel(target, request, signal) {
    const provider = providers.get(target.connectionId) ?? (await connect(target))
    providers.set(target.connectionId, provider)
    const ask = () => provider.stream(request, signal)
    yield* target.wire === 'demo' ? ask() : guardConnection(target, ask)
  }
}

async function connect(target: ModelTarget): Promise<Provider> {
  const { wire: _wire, ...connection } = await loadConnectionSecret(db(), target.connectionId)
  return openProvider(target.wire, {
    ...connection,
    onIncident: (incidentId, detail) =>
      log.error(
        { source: 'provider', incidentId, connection: target.connectionName, detail },
        'A provider failed',
      ),
    newId,
  })
}

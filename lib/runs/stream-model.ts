import 'server-only'
import { v7 as newId } from 'uuid'
import { db } from '@/lib/db'
import { log } from '@/lib/log'
import type { ModelTarget } from '@/lib/protocol/run-event'
import { openProvider } from '@/lib/providers/open-provider'
import type { Provider } from '@/lib/providers/provider'
import type { RunDeps } from '@/lib/runtime/deps'
import { openSecret } from '@/lib/vault/open-secret'

/** Streams from a target's connection; the key is opened for its first request and kept in memory for the run. */
export function openModelStream(): RunDeps['streamModel'] {
  const providers = new Map<string, Provider>()
  return async function* streamModel(target, request, signal) {
    const provider = providers.get(target.connectionId) ?? (await connect(target))
    providers.set(target.connectionId, provider)
    yield* provider.stream(request, signal)
  }
}

async function connect(target: ModelTarget): Promise<Provider> {
  const connection = await db().connection.findUniqueOrThrow({ where: { id: target.connectionId } })
  const apiKey = connection.secretId === null ? null : await openSecret(db(), connection.secretId)
  return openProvider(target.wire, {
    baseUrl: connection.baseUrl,
    apiKey,
    organisation: connection.organisation,
    onIncident: (incidentId, detail) =>
      log.error(
        { source: 'provider', incidentId, connection: connection.name, detail },
        'A provider failed',
      ),
    newId,
  })
}

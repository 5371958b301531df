import type { Tx } from '../db'
import { ValidationError } from '../errors'

/** `known` are models of the chain as it was: one of those that was switched off since may stay. */
type Chain = { modelId: string; fallbackIds: readonly string[]; known: readonly string[] }

/**
 * Refuses a chain that no run could walk: a model that is gone, one that stands in it twice (it would come back to
 * where it was), and one newly put there that is switched off, itself or its connection.
 */
export async function requireChain(tx: Tx, { modelId, fallbackIds, known }: Chain): Promise<void> {
  const rows = await tx.model.findMany({
    where: { id: { in: [modelId, ...fallbackIds] } },
    select: {
      id: true,
      displayName: true,
      enabled: true,
      connection: { select: { name: true, enabled: true } },
    },
  })
  const byId = new Map(rows.map((row) => [row.id, row]))
  if (!byId.has(modelId)) {
    throw new ValidationError({ modelId: 'This model no longer exists. Pick another.' })
  }
  const seen = new Set([modelId])
  for (const id of fallbackIds) {
    const model = byId.get(id)
    if (!model) refuseFallback('A fallback model no longer exists.')
    else if (seen.has(id)) refuseFallback(twice(model.displayName))
    seen.add(id)
  }
  for (const { id, displayName, enabled, connection } of rows) {
    if ((enabled && connection.enabled) || known.includes(id)) continue
    const what = enabled ? `The connection ${connection.name}` : displayName
    const sentence = `${what} is switched off, so no run could use the model ${displayName}. Switch ${enabled ? 'the connection' : 'the model'} on first, or pick another model.`
    throw new ValidationError({ [id === modelId ? 'modelId' : 'fallbackModelIds']: sentence })
  }
}

const twice = (name: string) => `Add each model only once. ${name} appears twice.`

function refuseFallback(sentence: string): never {
  throw new ValidationError({ fallbackModelIds: sentence })
}

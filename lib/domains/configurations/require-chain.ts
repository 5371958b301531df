import type { Connection, Model, Prisma } from '../../generated/prisma/client'
import type { Tx } from '../../kernel/db'
import { ValidationError } from '../../kernel/errors'
import { extraBodyFault, fieldsSetByUs } from '../../protocol/own-body-fields'
import type { JsonObject } from '../../protocol/parameter-values'
import { ConfigurationOptions } from '../../protocol/parameters'
import { wireOf } from '../rows/column-names'

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

/** Refuses further body fields that Toolgate sets itself on the API type of one of the models. */
export async function requireExtraBody(
  tx: Tx,
  modelIds: readonly string[],
  extraBody: JsonObject | null,
): Promise<void> {
  if (!extraBody) return
  const rows = await tx.model.findMany({
    where: { id: { in: [...modelIds] } },
    select: { displayName: true, connection: { select: { wire: true } } },
  })
  for (const { displayName, connection } of rows) {
    const taken = fieldsSetByUs(wireOf(connection.wire), extraBody)
    if (taken.length === 0) continue
    const sentence = `Toolgate sets ${taken.join(', ')} itself for ${displayName}. Remove it here and use the field of the configuration, if there is one.`
    throw new ValidationError({ 'options.extraBody': sentence })
  }
}

type Link = Pick<Model, 'displayName'> & { connection: Pick<Connection, 'wire'> }

/**
 * Why no run can start with a configuration whose parameters are stored like this, and what to do; null = nothing is wrong.
 * `chain` are the models that a run would ask.
 */
export function storedFault(parameters: Prisma.JsonValue, chain: readonly Link[]): string | null {
  return extraBodyFault(
    ConfigurationOptions.parse(parameters).extraBody,
    chain.map(({ displayName, connection }) => ({
      modelName: displayName,
      wire: wireOf(connection.wire),
    })),
  )
}

import { findConnection } from '../connections/find-connection'
import { type Ctx, requireRole } from '../context'
import { db } from '../db'
import { NotFoundError } from '../errors'
import type { ModelPrice } from '../generated/prisma/client'
import { createModel } from '../models/create-model'
import { setModelEnabled } from '../models/set-model-enabled'
import { setModelPrice } from '../models/set-model-price'
import { updateModel } from '../models/update-model'
import { ModelParameter } from '../protocol/model-target'
import type { Handler } from './handler'
import { pick } from './pick'
import type { EntryOf } from './site-file'

const facts = [
  'displayName',
  'contextTokens',
  'maxOutputTokens',
  'toolCalling',
  'structuredOutput',
  'vision',
  'reasoning',
  'unsupportedParameters',
] as const

type Price = EntryOf<'models'>['prices'][number]

/** Models with the whole history of their prices. A price that the file leaves out stays; one never goes by a file. */
export const modelHandler: Handler<'models'> = {
  read: async (ctx) => {
    requireRole(ctx, 'admin')
    const rows = await db().model.findMany({
      include: {
        connection: { select: { name: true } },
        prices: { orderBy: { validFrom: 'asc' } },
      },
      orderBy: [{ connection: { name: 'asc' } }, { modelId: 'asc' }],
    })
    return rows.map((row) => ({
      connection: row.connection.name,
      model: row.modelId,
      ...pick(row, facts),
      unsupportedParameters: row.unsupportedParameters.map((name) => ModelParameter.parse(name)),
      enabled: row.enabled,
      prices: row.prices.map(toPrice),
    }))
  },
  create: async (ctx, { connection, model, enabled: _, prices, displayName, ...given }) => {
    const { id: connectionId } = await findConnection(ctx, connection)
    const name = displayName ?? model.slice(0, 100)
    const created = await createModel(ctx, {
      ...given,
      connectionId,
      modelId: model,
      displayName: name,
    })
    await writePrices(ctx, created.id, [], prices ?? [])
  },
  finish: async (ctx, { connection, model, enabled }, reason) => {
    if (enabled !== false) return
    await setModelEnabled(ctx, await findModelId(connection, model), { enabled, reason })
  },
  update: async (ctx, { before, given, changed }, reason) => {
    const id = await findModelId(given.connection, given.model)
    const wanted = pick(
      given,
      facts.filter((field) => changed.has(field)),
    )
    if (Object.keys(wanted).length > 0) await updateModel(ctx, id, wanted)
    await writePrices(ctx, id, before.prices, given.prices ?? [])
    if (given.enabled !== undefined && changed.has('enabled')) {
      await setModelEnabled(ctx, id, { enabled: given.enabled, reason })
    }
  },
}

function toPrice(row: ModelPrice): Price {
  return {
    validFrom: row.validFrom.toISOString(),
    inputUsd: row.input,
    outputUsd: row.output,
    cachedInputUsd: row.cachedInput,
    cacheWriteUsd: row.cacheWrite,
    reasoningUsd: row.reasoning,
    source: row.source,
  }
}

async function writePrices(
  ctx: Ctx,
  modelId: string,
  here: readonly Price[],
  wanted: readonly Price[],
) {
  const known = new Set(here.map((price) => JSON.stringify(price)))
  for (const price of wanted) {
    if (known.has(JSON.stringify(price))) continue
    await setModelPrice(ctx, modelId, {
      validFrom: price.validFrom,
      prices: {
        input: price.inputUsd,
        output: price.outputUsd,
        cachedInput: price.cachedInputUsd,
        cacheWrite: price.cacheWriteUsd,
        reasoning: price.reasoningUsd,
      },
      source: price.source,
    })
  }
}

/** The id of a connection's model. NotFoundError when it is not here. */
export async function findModelId(connection: string, modelId: string): Promise<string> {
  const row = await db().model.findFirst({
    where: { modelId, connection: { name: connection } },
    select: { id: true },
  })
  if (!row) throw new NotFoundError(`The model ${modelId} of ${connection}`)
  return row.id
}

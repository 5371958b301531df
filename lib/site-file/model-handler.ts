import { findConnection } from '@/lib/domains/connections/reads'
import { modelFacts } from '@/lib/domains/models/model-facts'
import { setModelPrice } from '@/lib/domains/models/price-verbs'
import { modelFields } from '@/lib/domains/models/shape'
import { createModel, updateModel } from '@/lib/domains/models/verbs'
import { pricesOf } from '@/lib/domains/rows/model-prices'
import type { ModelPrice } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { pick } from '@/lib/protocol/parameters/parameters'
import type { EntryChange, Handler } from './handler'
import type { EntryOf, GivenOf } from './site-file'

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
      ...modelFacts(row),
      enabled: row.enabled,
      prices: row.prices.map(toPrice),
    }))
  },
  // A file adds and corrects prices; one that it does not name stays.
  becomes: { prices: (before, { prices }) => mergedPrices(before.prices, prices ?? []) },
  work: (change) => {
    const { before, given, changed } = change
    const isOff = given.enabled === false && changed.has('enabled')
    return {
      write: (ctx, reason) =>
        before ? update(ctx, { ...change, before }, reason) : create(ctx, given),
      finish: isOff ? (ctx, reason) => turn(ctx, given, false, reason) : undefined,
    }
  },
}

async function create(
  ctx: Ctx,
  { connection, model, enabled: _, prices, displayName, ...given }: GivenOf<'models'>,
): Promise<void> {
  const { id: connectionId } = await findConnection(ctx, connection)
  const name = displayName ?? model.slice(0, 100)
  const created = await createModel(ctx, {
    ...given,
    connectionId,
    modelId: model,
    displayName: name,
  })
  await writePrices(ctx, created.id, [], prices ?? [])
}

type Update = EntryChange<'models'> & { before: EntryOf<'models'> }

async function update(ctx: Ctx, { before, given, changed }: Update, reason: string): Promise<void> {
  const id = await findModelId(given.connection, given.model)
  const wanted = pick(
    given,
    modelFields.filter((field) => changed.has(field)),
  )
  if (Object.keys(wanted).length > 0) await updateModel(ctx, { id, ...wanted })
  await writePrices(ctx, id, before.prices, given.prices ?? [])
  if (given.enabled && changed.has('enabled')) await turn(ctx, given, true, reason)
}

async function turn(
  ctx: Ctx,
  { connection, model }: GivenOf<'models'>,
  enabled: boolean,
  reason: string,
): Promise<void> {
  await updateModel(ctx, { id: await findModelId(connection, model), enabled, reason })
}

function mergedPrices(here: readonly Price[], given: readonly Price[]): Price[] {
  const byMoment = new Map([...here, ...given].map((price) => [price.validFrom, price]))
  return [...byMoment.values()].toSorted((a, b) => a.validFrom.localeCompare(b.validFrom, 'en'))
}

function toPrice(row: ModelPrice): Price {
  return {
    validFrom: row.validFrom.toISOString(),
    inputUsd: row.input,
    outputUsd: row.output,
    cachedInputUsd: row.cachedInput,
    cacheWriteUsd: row.cacheWrite,
    reasoningUsd: row.reasoning,
    longPrompt: pricesOf({ prices: [row] }).longPrompt ?? null,
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
    await setModelPrice(ctx, {
      id: modelId,
      validFrom: price.validFrom,
      prices: {
        input: price.inputUsd,
        output: price.outputUsd,
        cachedInput: price.cachedInputUsd,
        cacheWrite: price.cacheWriteUsd,
        reasoning: price.reasoningUsd,
        longPrompt: price.longPrompt,
      },
      source: price.source,
    })
  }
}

/** Returns the id of a connection's model. NotFoundError when it does not exist. */
export async function findModelId(connection: string, modelId: string): Promise<string> {
  const row = await db().model.findFirst({
    where: { modelId, connection: { name: connection } },
    select: { id: true },
  })
  if (!row) throw new NotFoundError(`The model ${modelId} of ${connection}`)
  return row.id
}

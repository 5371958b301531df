import { z } from 'zod'
import { addressOf } from '@/lib/domains/rows/address-hash'
import { pricesOf, validPrice } from '@/lib/domains/rows/model-prices'
import { verb } from '@/lib/edge/verb'
import type { ModelPrice, Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { ConflictError, NotFoundError } from '@/lib/kernel/errors'
import { catalogueAddress } from './catalogue/find-in-catalogue'
import { stalePrice } from './catalogue/stale-price'
import { modelFacts } from './model-facts'
import {
  CapabilitySources,
  ModelDetails,
  ModelListing,
  type ModelUse,
  type PriceListing,
} from './schemas'

export const listModels = verb({
  name: 'model.list',
  role: 'admin',
  scope: 'models:read',
  summary: 'Lists models with the prices that are valid now.',
  input: z.object({}),
  output: z.array(ModelListing),
  transaction: false,
  run: async () => {
    const now = new Date()
    const rows = await db().model.findMany({
      include: asListing(now),
      orderBy: [{ connection: { name: 'asc' } }, { displayName: 'asc' }],
    })
    return rows.map((row) => toModelListing(row, now))
  },
})

/** `id`: its id, or the provider's id when one connection has it. Throws NotFoundError when there is none. */
export const readModel = verb({
  name: 'model.read',
  role: 'admin',
  scope: 'models:read',
  summary: 'Returns a model with the history of its prices and what uses it.',
  input: z.object({ id: z.string() }),
  output: ModelDetails,
  transaction: false,
  run: async (_context, input) => {
    const now = new Date()
    const id = await modelIdOf(db(), input.id)
    const row = await db().model.findUnique({ where: { id }, include: asListing(now) })
    if (!row) throw new NotFoundError('The model')
    const [history, first] = await Promise.all([
      db().modelPrice.findMany({ where: { modelRecordId: id }, orderBy: { validFrom: 'desc' } }),
      db().usageRecord.findFirst({
        where: { modelRecordId: id },
        orderBy: { at: 'asc' },
        select: { run: { select: { createdAt: true } } },
      }),
    ])
    return {
      ...toModelListing(row, now),
      history: history.map(toPriceListing),
      currentPriceId: history.find(({ validFrom }) => validFrom <= now)?.id ?? null,
      firstRunAt: first?.run.createdAt.toISOString() ?? null,
      createdAt: row.createdAt.toISOString(),
    }
  },
})

/** Returns the id of the model that `modelIdOf` finds. Admins only. */
export async function findModel(
  ctx: Ctx,
  idOrModelId: string,
  connection?: string,
): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  return { id: await modelIdOf(db(), idOrModelId, connection) }
}

const Id = z.uuid()

/**
 * Returns the id of the model with this id, or with this id at its provider; `connection` (a name) picks one of several
 * connections that have it. Throws ConflictError when a connection has to be named, NotFoundError when there is none.
 */
export async function modelIdOf(tx: Tx, idOrModelId: string, connection?: string): Promise<string> {
  const id = Id.safeParse(idOrModelId)
  const name = connection === undefined ? {} : { connection: { name: connection.trim() } }
  const found = await tx.model.findMany({
    where: id.success ? { id: id.data } : { modelId: idOrModelId.trim(), ...name },
    select: { id: true, connection: { select: { name: true } } },
    orderBy: { connection: { name: 'asc' } },
  })
  const [first, ...others] = found
  if (!first) throw new NotFoundError('The model')
  if (others.length === 0) return first.id
  const names = found.map((each) => each.connection.name).join(', ')
  throw new ConflictError(`Several connections have that model: ${names}. Name the connection too.`)
}

const named = { select: { id: true, name: true } } as const

const withUses = {
  configurations: named,
  fallbackFor: { select: { position: true, configuration: named } },
} as const satisfies Prisma.ModelInclude

/** Returns the configurations that have a model read `withUses`, by name. */
function usesOf({
  configurations,
  fallbackFor,
}: Prisma.ModelGetPayload<{ include: typeof withUses }>): ModelUse[] {
  const uses = [
    ...configurations.map((each) => ({ ...each, position: null })),
    ...fallbackFor.map(({ position, configuration }) => ({ ...configuration, position })),
  ]
  return uses.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
}

/** Returns the configurations that have a model, by name. */
export async function readModelUses(tx: Tx, modelId: string): Promise<ModelUse[]> {
  return usesOf(await tx.model.findUniqueOrThrow({ where: { id: modelId }, include: withUses }))
}

/** Returns the `include` of a model for a listing, with the price that is valid at `at`. */
function asListing(at: Date) {
  return {
    connection: {
      select: { name: true, enabled: true, wire: true, baseUrl: true, settings: true },
    },
    prices: validPrice(at),
    ...withUses,
  } as const satisfies Prisma.ModelInclude
}

type Row = Prisma.ModelGetPayload<{ include: ReturnType<typeof asListing> }>

/** Returns the listing of a model that was read with `asListing` for the same time. */
function toModelListing(row: Row, at: Date): ModelListing {
  const { connection } = row
  const { wire } = addressOf(connection)
  const address = { wire, baseUrl: catalogueAddress(addressOf(connection)) }
  const prices = pricesOf(row)
  const { structuredOutput, vision, reasoning, ...known } = modelFacts(row)
  const { reasoningEfforts, unsupportedParameters, ...facts } = known
  return {
    id: row.id,
    connectionId: row.connectionId,
    connectionName: connection.name,
    connectionEnabled: connection.enabled,
    ...address,
    modelId: row.modelId,
    ...facts,
    toolCallingSource: row.toolCallingSource,
    toolCallingTestedAt: row.toolCallingTestedAt?.toISOString() ?? null,
    structuredOutput,
    vision,
    reasoning,
    capabilitySources: CapabilitySources.parse(row.capabilitySources),
    reasoningEfforts,
    unsupportedParameters,
    enabled: row.enabled,
    prices,
    stalePrice: stalePrice({ ...address, modelId: row.modelId, prices }, row.prices[0], at),
    usedBy: usesOf(row),
  }
}

function toPriceListing(row: ModelPrice): PriceListing {
  return {
    id: row.id,
    validFrom: row.validFrom.toISOString(),
    prices: pricesOf({ prices: [row] }),
    source: row.source,
    createdBy: row.createdByLabel,
    createdAt: row.createdAt.toISOString(),
  }
}

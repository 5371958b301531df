import { z } from 'zod'
import { verb } from '@/lib/edge/verb'
import type { Connection, Prisma } from '@/lib/generated/prisma/client'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db, type Tx } from '@/lib/kernel/db'
import { NotFoundError } from '@/lib/kernel/errors'
import { type SortDirection, sortParts } from '@/lib/shape/sort-order'
import { connectionProblems } from './connection-failures'
import { connectionHealth } from './health'
import { connectionFacts } from './open-connection'
import {
  ConnectionDetails,
  ConnectionListing,
  ConnectionSort,
  type ConnectionSortKey,
  ConnectionTest,
  type ConnectionUsers,
  defaultConnectionSort,
} from './schemas'
import { zoneState } from './trust-zone'

const columns = {
  name: (way) => ({ name: way }),
  wire: (way) => ({ wire: way }),
  trust: (way) => ({ trustZone: way }),
  models: (way) => ({ models: { _count: way } }),
  changed: (way) => ({ updatedAt: way }),
} satisfies Record<
  ConnectionSortKey,
  (way: SortDirection) => Prisma.ConnectionOrderByWithRelationInput
>

export const listConnections = verb({
  name: 'connection.list',
  role: 'admin',
  scope: 'connections:read',
  summary: 'Lists connections with their health and what to act on, never their secrets.',
  input: z.object({ sort: ConnectionSort.optional() }),
  output: z.array(ConnectionListing),
  transaction: false,
  run: async (_context, { sort = defaultConnectionSort }) => {
    const { key, direction } = sortParts(sort)
    const rows = await db().connection.findMany({
      include: listingInclude,
      orderBy: [columns[key](direction), { name: 'asc' }],
    })
    const now = new Date()
    return Promise.all(rows.map((row) => toConnectionListing(row, now)))
  },
})

/** `id`: its id or exact name. Throws NotFoundError when there is none. */
export const readConnection = verb({
  name: 'connection.read',
  role: 'admin',
  scope: 'connections:read',
  summary: 'Returns a connection by name or id, with its models and what uses it.',
  input: z.object({ id: z.string() }),
  output: ConnectionDetails,
  transaction: false,
  run: async (_context, input) => {
    const id = await connectionIdOf(db(), input.id)
    const row = await db().connection.findUnique({ where: { id }, include: listingInclude })
    if (!row) throw new NotFoundError('The connection')
    return {
      ...(await toConnectionListing(row)),
      createdAt: row.createdAt.toISOString(),
      users: await connectionUsers(db(), id),
    }
  },
})

/** Returns the id of the connection that `connectionIdOf` finds. Admins only. */
export async function findConnection(ctx: Ctx, idOrName: string): Promise<{ id: string }> {
  requireRole(ctx, 'admin')
  return { id: await connectionIdOf(db(), idOrName) }
}

const Id = z.uuid()

/** Returns the id of the connection with this id or exact name. Throws NotFoundError when there is none. */
async function connectionIdOf(tx: Tx, idOrName: string): Promise<string> {
  const id = Id.safeParse(idOrName)
  const row = await tx.connection.findFirst({
    where: id.success ? { id: id.data } : { name: idOrName.trim() },
    select: { id: true },
  })
  if (!row) throw new NotFoundError('The connection')
  return row.id
}

/** Returns the stored row, on or off, by its id or exact name. Throws NotFoundError when there is none. */
export async function requireConnection(idOrName: string): Promise<Connection> {
  const id = await connectionIdOf(db(), idOrName)
  const row = await db().connection.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The connection')
  return row
}

/**
 * Reads and locks a connection by its id or exact name: nobody else changes it or its secrets until the transaction
 * ends. A change of its secrets alone leaves `updatedAt` as it is, so it is no conflict for an open form.
 */
export async function lockConnection(tx: Tx, idOrName: string): Promise<Connection> {
  const id = await connectionIdOf(tx, idOrName)
  await tx.$executeRaw`SELECT 1 FROM connections WHERE id = ${id}::uuid FOR UPDATE`
  const row = await tx.connection.findUnique({ where: { id } })
  if (!row) throw new NotFoundError('The connection')
  return row
}

/** Returns what stops working without a connection, by name. */
export async function connectionUsers(tx: Tx, connectionId: string): Promise<ConnectionUsers> {
  const models = await tx.model.findMany({
    where: { connectionId },
    select: { id: true, modelId: true, displayName: true, enabled: true },
    orderBy: [{ displayName: 'asc' }, { id: 'asc' }],
  })
  const rows = await tx.configuration.findMany({
    where: {
      OR: [{ model: { connectionId } }, { fallbacks: { some: { model: { connectionId } } } }],
    },
    select: { id: true, name: true, enabled: true, model: { select: { connectionId: true } } },
    orderBy: [{ name: 'asc' }, { id: 'asc' }],
  })
  const configurations = rows.map(({ model, ...configuration }) => ({
    ...configuration,
    primary: model.connectionId === connectionId,
  }))
  return { models, configurations }
}

const listingInclude = {
  secret: { select: { lastFour: true, updatedAt: true } },
  health: true,
  failures: {
    include: { model: { select: { id: true, modelId: true } } },
    orderBy: { at: 'desc' },
  },
  _count: { select: { models: true } },
} as const satisfies Prisma.ConnectionInclude

type Row = Prisma.ConnectionGetPayload<{ include: typeof listingInclude }>

/** Returns what may be shown of a connection; of its secrets the last four characters and the names of its headers. */
async function toConnectionListing(row: Row, now = new Date()): Promise<ConnectionListing> {
  const facts = connectionFacts(row)
  return {
    id: row.id,
    ...facts,
    enabled: row.enabled,
    key: row.secret && {
      lastFour: row.secret.lastFour,
      updatedAt: row.secret.updatedAt.toISOString(),
    },
    headerNames: row.headerNames,
    models: row._count.models,
    // The demo is built in and sends no requests that could fail.
    health: facts.wire === 'demo' ? { type: 'healthy' } : connectionHealth(row.health, now),
    zone: await zoneState(facts, row.zoneConfirmation),
    troubles: connectionProblems(row.failures),
    // A result of an older version may be unreadable. Then the connection counts as not tested.
    lastTest: ConnectionTest.safeParse(row.lastTest).data ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

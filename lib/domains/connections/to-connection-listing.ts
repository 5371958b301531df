import type { Prisma } from '../../generated/prisma/client'
import { connectionFacts } from './connection-facts'
import { connectionTroubles } from './connection-failures'
import { connectionHealth } from './connection-health'
import { type ConnectionListing, ConnectionTest } from './schemas'
import { zoneState } from './zone-confirmation'

export const listingInclude = {
  secret: { select: { lastFour: true, updatedAt: true } },
  health: true,
  failures: {
    include: { model: { select: { id: true, modelId: true } } },
    orderBy: { at: 'desc' },
  },
  _count: { select: { models: true } },
} as const satisfies Prisma.ConnectionInclude

type Row = Prisma.ConnectionGetPayload<{ include: typeof listingInclude }>

/** What may be shown of a connection; of its secrets the last four characters and the names of its headers. */
export async function toConnectionListing(row: Row, now = new Date()): Promise<ConnectionListing> {
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
    // The demo is built in: nothing is asked that could fail.
    health: facts.wire === 'demo' ? { type: 'healthy' } : connectionHealth(row.health, now),
    zone: await zoneState(facts, row.zoneConfirmation),
    troubles: connectionTroubles(row.failures),
    // What an older version stored may be unreadable; it is then as if it had not been tested.
    lastTest: ConnectionTest.safeParse(row.lastTest).data ?? null,
    updatedAt: row.updatedAt.toISOString(),
  }
}

import 'server-only'
import { requireFittingKey } from '@/lib/domains/connections/fitting-key'
import { longestTestMs } from '@/lib/domains/connections/longest-test'
import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/require-connection'
import type { ConnectionTest } from '@/lib/domains/connections/schemas'
import { probeConnection } from '@/lib/engines/providers/probe-connection'
import { type Ctx, requireRole } from '@/lib/kernel/context'
import { db } from '@/lib/kernel/db'
import { providerOptions } from '../runs/provider-options'
import { connectionTestTurn } from './connection-test-turn'
import { keepConnectionTest } from './keep-connection-test'

/**
 * Asks a stored provider for its models, enabled or not, and stores the result as its last test; an answer closes its
 * circuit. Throws RateLimitedError when this person tests too often. Admins only.
 */
export async function testConnection(ctx: Ctx, connectionId: string): Promise<ConnectionTest> {
  requireRole(ctx, 'admin')
  const askedAt = Date.now()
  const row = await requireConnection(connectionId)
  const test = await probeAs(ctx, await openConnection(db(), row), row.name)
  await keepConnectionTest(row.id, test, askedAt)
  return test
}

/** Tests a provider for a person. Throws ValidationError for a key that must not be sent there. */
export async function probeAs(
  ctx: Ctx,
  connection: OpenConnection,
  name: string,
): Promise<ConnectionTest> {
  requireFittingKey(connection, connection.apiKey)
  connectionTestTurn(ctx.actor.userId, Date.now())
  const { wire } = connection
  const signal = AbortSignal.timeout(longestTestMs)
  const result = await probeConnection(wire, providerOptions(connection, name), signal)
  return { ...result, at: new Date().toISOString() }
}

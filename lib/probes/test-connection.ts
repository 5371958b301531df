import 'server-only'
import { z } from 'zod'
import { requireFittingKey } from '@/lib/domains/connections/checks'
import { clearFailures, endedByTest } from '@/lib/domains/connections/connection-failures'
import { recordConnectionAnswer } from '@/lib/domains/connections/health'
import { type OpenConnection, openConnection } from '@/lib/domains/connections/open-connection'
import { requireConnection } from '@/lib/domains/connections/reads'
import { ConnectionTest } from '@/lib/domains/connections/schemas'
import { longestTestMs } from '@/lib/domains/connections/shape'
import { clearOwnKey } from '@/lib/domains/connections/take-key'
import { verb } from '@/lib/edge/verb'
import { probeConnection } from '@/lib/engines/providers/discovery/probe-connection'
import type { Ctx } from '@/lib/kernel/context'
import { db, pool } from '@/lib/kernel/db'
import { runningEngine } from '@/lib/runs/engine/engine'
import { providerOptions } from '@/lib/runs/work/provider-options'
import { connectionTestTurn } from './connection-test-turn'

/**
 * The connection may be off. The result is stored as its last test; an answer closes its circuit. Throws RateLimitedError
 * when this person tests too often.
 */
export const testConnection = verb({
  name: 'connection.test',
  role: 'admin',
  scope: 'connections:write',
  summary: 'Tests a connection with its provider.',
  input: z.object({ id: z.string() }),
  output: ConnectionTest,
  transaction: false,
  run: async ({ ctx }, { id }) => {
    const askedAt = Date.now()
    const row = await requireConnection(id)
    const test = await probeAs(ctx, await openConnection(db(), row), row.name)
    await keepConnectionTest(row.id, test, askedAt)
    return test
  },
})

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

/** Stores the result of a test of a stored connection. An answer closes its circuit (SPEC R15). */
export async function keepConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  await recordConnectionTest(connectionId, test, askedAt)
  if (test.outcome !== 'ok') return
  await recordConnectionAnswer(pool(), connectionId, askedAt)
  await clearOwnKey(pool(), connectionId)
  await clearFailures(
    pool(),
    { connectionId, modelRecordId: null, askedAt, openedAt: askedAt },
    endedByTest,
  )
  runningEngine()?.connectionGate.forgetHealth()
}

/**
 * Stores the result of a test, for lists. It does not change the connection: `updatedAt` stays, so that an open form does
 * not conflict with it. Stores nothing when the connection was changed after `askedAt` (ms since 1970).
 */
async function recordConnectionTest(
  connectionId: string,
  test: ConnectionTest,
  askedAt: number,
): Promise<void> {
  const text = JSON.stringify(ConnectionTest.parse(test))
  await db().$executeRaw`
    UPDATE connections SET "lastTest" = ${text}::jsonb
    WHERE id = ${connectionId}::uuid AND "updatedAt" <= to_timestamp(${askedAt} / 1000.0) AT TIME ZONE 'UTC'`
}
